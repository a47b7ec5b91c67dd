// The expression that a statement evaluates, for mutations that evaluate it otherwise: in a function made in its place,
// or by a call that is built in steps.
#pragma once

#include <string>
#include <vector>

#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// The right side of an assignment (plain, chained, annotated or augmented), the operand of `return`, the expression of
/// an expression statement, or the condition of an `if` or `while`. No node if there is none or the statement is no
/// insertion point.
Node value_of(const Parsed& parsed, const Statement& statement);
/// The value may be evaluated inside a function made in its place: it contains no `yield`, `await`, `:=` or `super`.
bool may_enclose(const Statement& statement, const Node& value);
/// The same, and the program doesn't notice it by what moved_code.h knows.
bool may_move(const Parsed& parsed, const Statement& statement, const Node& value);
/// Its text as one expression; `a, b` gets parentheses.
std::string value_text(const Node& value);
/// Local names that the value reads and that may be passed as arguments instead of being captured.
std::vector<std::string> names_to_hand(const Parsed& parsed, const Statement& statement, const Node& value);

}  // namespace jp::mutate
