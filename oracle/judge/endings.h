// Runs that did not finish: what they mean before anything is compared.
#pragma once

#include <optional>

#include "core/outcome.h"
#include "core/verdict.h"
#include "oracle/judge/sides.h"

namespace jp::oracle {

/// A run that jitprobe's own runtime could not make says nothing: rejected, with what is missing. Nothing for other
/// endings.
std::optional<Verdict> judge_broken_ending(const Outcome& outcome);

/// A program that eager can't finish is no evidence against a compiler: rejected, with the reason. Nothing if eager
/// finished (calls that raised are observations).
std::optional<Verdict> judge_eager_ending(const Outcome& eager);

/// Deaths, hangs, excessive memory, and errors that kept the compiled run from finishing, of a program that eager
/// finished. Nothing if it finished. `compiled`: the outcome of `sides.observed`.
std::optional<Verdict> judge_compiled_ending(const Outcome& compiled, const Sides& sides);

/// As the predicate of a sentence: "died of signal 11 (SIGSEGV)", "gave no answer within 30 s",
/// "raised in inputs: ValueError: …", "finished".
std::string describe_ending(const Ending& ending);

}  // namespace jp::oracle
