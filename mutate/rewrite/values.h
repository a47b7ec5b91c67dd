// The expression that a statement evaluates, where it may be evaluated in another way: in a function made on the spot,
// or by a call that is put together in steps.
#pragma once

#include <string>
#include <vector>

#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// The right side of an assignment (plain, chained, annotated, augmented), what stands behind `return`, the expression
/// of an expression statement, the condition of an `if` or `while`. No node where there is none, or where the statement
/// is no open place.
Node value_of(const Parsed& parsed, const Statement& statement);
/// The value may be evaluated inside a function made in its place: no `yield`, `await`, `:=`, `super` in it.
bool may_enclose(const Parsed& parsed, const Statement& statement, const Node& value);
/// Its text as one expression: a list of several gets parentheses.
std::string value_text(const Node& value);
/// Names of the statement's function that the value reads and that may just as well be handed over.
std::vector<std::string> names_to_hand(const Parsed& parsed, const Statement& statement, const Node& value);

}  // namespace jp::mutate
