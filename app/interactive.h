// `jitprobe mutate FILE --interactive`: a program is mutated step by step, and each step seen and run.
#pragma once

#include <cstdint>

#include "mutate/syntax/syntax.h"

namespace jp::app {

/// Reads commands from standard input until `quit` or its end, and prints what they answer; `help` lists them. What a
/// command can't do is a sentence, after which the next one is read. `seed`: of the draws of steps without draws.
/// Returns the exit status: kDidItsWork, or kCannot if the commands come from a pipe and one of them failed.
int interactive(const mutate::Parsed& base, std::uint64_t seed);

}  // namespace jp::app
