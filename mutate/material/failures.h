// Statements that raise on purpose, and `except` clauses that catch them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

/// Lines of which the last one always raises. The others only change objects that they have made.
struct Failure {
  Lines lines;
  std::string error;  // the builtin class of the exception
};

/// Draws a failure. `torch` is the module's name for torch, `tensor` a live tensor's name, `own` a fresh name; each may
/// be "".
Failure draw_failure(const std::string& torch, const std::string& tensor, const std::string& own, Choices& choices);

/// The first line of an `except` clause that catches the class `error`: by that class, a base class, a tuple, or
/// without a class. If `as` is not "", the clause binds that name.
std::string draw_clause(std::string_view error, const std::string& as, Choices& choices);

/// All builtin names that failures and clauses use.
const std::vector<std::string_view>& failure_names();

}  // namespace jp::mutate
