// What a statement does, without its names, numbers and strings: used to tell findings apart, and in words for their
// titles.
#pragma once

#include <string>
#include <vector>

#include "mutate/syntax/syntax.h"

namespace jp::campaign {

/// What the statement's own code (for a compound one its head) calls and which operators it uses, sorted: "// pad",
/// "[]= relu". A function of the file is "call", since its name says nothing. "" for a statement that does nothing,
/// like `return x`.
std::string form_of(const mutate::Parsed& parsed, const mutate::Node& statement);

/// The statements in the file's functions and classes, at any depth; not those that make the inputs.
std::vector<const mutate::Statement*> code_of(const mutate::Parsed& parsed);

/// Whether any of that code does something: what is wrong with `def program(): pass` is not in its text.
bool does_something(const Program& program);

/// What an expression itself does: the form without its operands. "pad" for `F.pad(4 // y, (0, 1))`.
std::string form_of_expression(const mutate::Parsed& parsed, const mutate::Node& expression);

/// The same as form_of() for people, the outermost operation first: "F.pad over a floor division". "" if form_of() is
/// "".
std::string words_of(const mutate::Parsed& parsed, const mutate::Node& statement);

}  // namespace jp::campaign
