// Statements that edits move without changing them, such as those that are indented: half of the text that mutations
// touch. Their nodes are copied from the old tree instead of being parsed again.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "mutate/syntax/tree.h"

namespace jp::mutate {

/// A statement of the old tree, and the byte at which it begins in the new text.
struct ReusedSubtree {
  Node node;
  std::size_t begin = 0;
};

/// Among the old nodes [first, past), the simple statements on a line of their own that no edit touches, with their
/// places in `text`. `text` is a part of the edited text; `moved` is added to a byte's position in the edited text to
/// get its position in `text`.
std::vector<ReusedSubtree> kept_statements(const Tree& old, int first, int past, const EditSet& edits,
                                           const std::string& text, std::ptrdiff_t moved);

/// Gives what parse_tree(text) gives, without parsing the statements in `kept` (which must be in order). One
/// difference: nesting that becomes too deep because a statement was indented is not refused.
Result<std::shared_ptr<const Tree>> parse_around(const std::string& text, const std::vector<ReusedSubtree>& kept);

}  // namespace jp::mutate
