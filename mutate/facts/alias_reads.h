// Reading a tensor through another name for it: where that name may be made, and which reads may go to it.
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

/// What facts say of a tensor, when another tensor object in its place can be read by that read.
std::optional<Layout> readable_layout(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                      const TensorRead& read);

/// Nothing in the file gives a tensor another memory: an alias made once stays one.
bool keeps_memory(const Parsed& parsed);

/// An alias of the name may be made before `from` and read at `to`, as far as the text says: both stand in one block,
/// and between them nobody can bind the name again.
bool spans(const Parsed& parsed, const Statement& from, const Statement& to, std::string_view name);

/// The statement and statements behind it in its block (up to `farthest`) that read the tensor where facts saw it lie
/// as it lies before the statement: their ids with blanks between.
std::string note_readers(const Parsed& parsed, const Facts& facts, const Statement& statement, const std::string& name,
                         int farthest);
/// The reads of that note that are still there.
std::vector<Node> readers(const Parsed& parsed, const Statement& statement, std::string_view name,
                          std::string_view note);

}  // namespace jp::mutate
