// Exceptions that leave the entry or its backward, on one side or on both.
#pragma once

#include <optional>
#include <string>

#include "core/observation.h"

namespace jp::oracle {

/// What one phase (the call, or its backward) shows on the two sides.
enum class Raise {
  kNeither,
  kAlike,       // both raise; the compiled class is eager's, a subclass of it, or was caused by it
  kErrorClass,  // both raise, of unrelated classes: weak
  kRefused,     // compiled raises what its backend declares as an expected refusal
  kCompiler,    // only compiled raises, while compiling
  kOnlyCompiled,
  kOnlyEager,
};

Raise judge_raise(const std::optional<ExceptionRecord>& eager, const std::optional<ExceptionRecord>& compiled);

/// Whether it was raised while tracing, or by Dynamo: in eager by control flow operators, whose backward traces their
/// branches.
bool raised_while_tracing(const ExceptionRecord& exception);

/// Whether torch refuses the dtypes of what it was given, by the words that its checks use. In a run of another
/// precision the dtypes are others, so that run says nothing about such a refusal.
bool refuses_dtypes(const ExceptionRecord& exception);

/// What an exception is about: itself, or the one that the compiler's own exceptions merely wrap.
struct Innermost {
  std::string type;
  std::string message;
};
Innermost innermost(const ExceptionRecord& exception);

/// Whether both are about the same in the same words, whatever quotes these are in: a check that the compiler made from
/// eager's, or passes on. Only their first lines count.
bool same_words(const ExceptionRecord& eager, const ExceptionRecord& compiled);

/// Whether both have the same words in the same order, whatever numbers and dtypes are between them: what two runs of
/// one program in different precisions say about the same failure. Only their first lines count.
bool alike_words(const ExceptionRecord& one, const ExceptionRecord& other);

/// "ValueError: text" on one line, cut; the module "builtins" is left out.
std::string describe_exception(const ExceptionRecord& exception);

}  // namespace jp::oracle
