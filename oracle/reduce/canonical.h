// A program's form without what a person would call a detail: names of its own, values of constants, imports, comments
// and layout. Two reduced programs of one form show one bug, whatever their signatures say.
#pragma once

#include <string>

#include "mutate/syntax/syntax.h"

namespace jp::reduce {

/// The form: equal for programs that differ only in
///   - names that the file binds (locals, arguments, functions), numbered by first appearance
///   - numbers, of which only int, float or complex is left, with a minus sign before them or without
///   - how many equal items a list or tuple has: [1.0, 2.0] and [3.0] are alike, [1.0, x] is not
///   - imports, comments, blank lines, line breaks, quotes of strings
/// Names of operators, attributes, keywords and strings stay, and so does the order of statements.
std::string canonical_form(const mutate::Parsed& parsed);
/// The same of a program; "" for one that doesn't parse.
std::string canonical_form(const Program& program);

}  // namespace jp::reduce
