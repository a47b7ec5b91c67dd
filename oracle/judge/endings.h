// Runs that did not finish: what they mean before anything is compared.
#pragma once

#include <optional>

#include "core/outcome.h"
#include "core/verdict.h"

namespace jp::oracle {

/// A run that our own runtime could not make says nothing: rejected, with what is missing. Nothing for other endings.
std::optional<Verdict> judge_broken_ending(const Outcome& outcome);

/// A program that eager can't run to its end can't accuse a compiler: rejected, with the reason. Nothing when eager
/// finished (calls that raised are observations).
std::optional<Verdict> judge_eager_ending(const Outcome& eager);

/// Death, hang, memory, and errors that kept the compiled run from finishing, of a program that eager finished.
/// Nothing when it finished. `name`: what the run is called in sentences.
std::optional<Verdict> judge_compiled_ending(const Outcome& compiled, const std::string& name = "compiled");

/// "died of signal 11 (SIGSEGV)", "no answer within 30 s", "raised in inputs: ValueError: …"; "finished".
std::string describe_ending(const Ending& ending);

}  // namespace jp::oracle
