// Reading a tensor through an alias: where the alias may be made, and which reads may use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts.h"
#include "mutate/facts/aliases.h"
#include "mutate/names/reads.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// The layout of the tensor that is read, from facts; nothing if another tensor object with the same elements can't
/// replace it in this read.
std::optional<Layout> readable_layout(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                      const TensorRead& read);

/// Nothing in the file gives a tensor other memory (by set_, swap_tensors, assignment to .data and the like), so an
/// alias stays one.
bool keeps_memory(const Parsed& parsed);

/// As far as syntax shows, an alias of the name may be made before `from` and read at `to`: both are in one block, and
/// the name can't be bound again between them.
bool spans(const Parsed& parsed, const Statement& from, const Statement& to, std::string_view name);

/// The ids of the statements that read the tensor, among the statement and at most `farthest` later ones of its block,
/// at which facts show the tensor with the same layout as before the statement.
std::vector<std::string> find_readers(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                      const std::string& name, int farthest);
/// The reads of the name in the statements with these ids; statements that no longer exist or qualify are skipped.
std::vector<Node> readers(const Parsed& parsed, const Statement& statement, std::string_view name,
                          const std::vector<std::string>& ids);

}  // namespace jp::mutate
