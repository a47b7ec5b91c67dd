// A program's form without incidental details: its own names, values of constants, imports, comments and layout. Two
// reduced programs of one form show one bug, whatever their signatures say.
#pragma once

#include <string>

#include "mutate/syntax/syntax.h"

namespace jp::reduce {

/// The form: equal for programs that differ only in
///   - names that the file binds (locals, arguments, functions), numbered by first appearance
///   - numbers, which are reduced to int, float or complex, with or without a minus sign
///   - how many equal items a list or tuple has: [1.0, 2.0] and [3.0] are alike, [1.0, x] is not
///   - imports, comments, blank lines, line breaks, quotes of strings
/// Names of operators, attributes, keywords and strings are kept, and so is the order of statements.
std::string canonical_form(const mutate::Parsed& parsed);
/// The same for a program; "" for one that doesn't parse.
std::string canonical_form(const Program& program);

}  // namespace jp::reduce
