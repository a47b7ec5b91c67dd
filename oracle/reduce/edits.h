// Proposals as data: merging several, and making a program of the result.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/edit.h"
#include "mutate/syntax/syntax.h"

namespace jp::reduce {

/// Both proposals at once, or nothing if they contradict each other. An edit that both make counts once, overlapping
/// deletions become one, and edits inside a deleted part disappear with it.
std::optional<EditSet> merge(const EditSet& one, const EditSet& other);

/// The text of a program after a proposal, repaired: a block that lost all its statements gets `pass`, lists lose
/// trailing commas, runs of blank lines and trailing white space are removed. Nothing if it does not parse. The
/// result's lineage is that of a file.
std::optional<mutate::Parsed> apply(const mutate::Parsed& parsed, const EditSet& edits);

/// Adds a replacement (or a deletion) to a proposal, by the rules of merge(); false if it contradicts it.
[[nodiscard]] bool put(EditSet& edits, std::size_t begin, std::size_t end, std::string text);

/// Deletes a statement with the lines that it occupies alone; one that shares its line becomes `pass`.
[[nodiscard]] bool erase_statement(EditSet& edits, const mutate::Parsed& parsed, const mutate::Statement& statement);

/// Deletes item `at` of a comma-separated list of nodes, with one comma. The deletions of different items don't
/// conflict.
[[nodiscard]] bool erase_item(EditSet& edits, const std::vector<mutate::Node>& items, std::size_t at);

/// A proposal of one replacement.
EditSet replacement(const mutate::Node& node, std::string text);

/// The text of an expression as an operand: in parentheses if it may need them.
std::string as_operand(const mutate::Node& expression);

}  // namespace jp::reduce
