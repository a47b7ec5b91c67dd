// Statements that raise on purpose: what they are and which clauses catch them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

/// Lines of which the last surely raises; what they change before is their own.
struct Failure {
  Lines lines;
  std::string error;  // the builtin class of what is raised
};

/// A failure, drawn. `torch` is the module's name for torch, `tensor` a live tensor, `own` a fresh name; each may be
/// "".
Failure draw_failure(const std::string& torch, const std::string& tensor, const std::string& own, Choices& choices);

/// What may stand behind `except` to catch that class: itself, a class above it, a tuple, nothing. With `as`, the
/// exception gets that name, if it is not "".
std::string draw_clause(std::string_view error, const std::string& as, Choices& choices);

/// Every builtin that failures and clauses name.
const std::vector<std::string_view>& failure_names();

}  // namespace jp::mutate
