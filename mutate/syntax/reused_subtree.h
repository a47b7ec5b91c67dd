// Statements that edits move but leave as they are, as those that get another indent: half of the text that mutations
// touch. Their nodes are taken from the old tree.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "mutate/syntax/tree.h"

namespace jp::mutate {

/// A statement of an old tree, and where it stands in a new text.
struct ReusedSubtree {
  Node node;
  std::size_t begin = 0;
};

/// Those of the old nodes [first, past) which are simple statements in a line of their own and no edit touches. They
/// are placed in `text`, a part of the edited text whose bytes are `moved` further than there.
std::vector<ReusedSubtree> kept_statements(const Tree& old, int first, int past, const EditSet& edits,
                                           const std::string& text, std::ptrdiff_t moved);

/// What parse_tree(text) gives, but for nesting too deep by a statement that is put deeper; the statements that are
/// kept, in order, are not parsed.
Result<std::shared_ptr<const Tree>> parse_around(const std::string& text, const std::vector<ReusedSubtree>& kept);

}  // namespace jp::mutate
