// Where a difference comes from, measured by running: the first wrong intermediate value
// (campaign/evidence/intermediates.h), the first wrong gradient (campaign/evidence/backward.h), the statement that
// eager refuses and the compiled run accepts, and what Inductor's bisector names.
#pragma once

#include <optional>
#include <string>

#include "core/verdict.h"
#include "pyrunner/runner.h"
#include "report/evidence.h"

namespace jp::campaign {

/// How each instrumented program is judged: as candidates of a reduction are, or as a finding is.
enum class Thorough { kBriefly, kFully };

/// The first wrong value of a finding whose signature is one of values (oracle::is_of_values); nothing for others, and
/// if none is found. Costs one judgement, or the logarithm of the number of values if showing all of them hides the
/// fault; none if only eager refuses the program.
std::optional<report::Intermediate> first_wrong_value(pyrunner::Runner& runner, const Finding& finding,
                                                      Thorough thorough);

/// What Inductor's own bisector says of the finding's self-contained program, lines "subsystem: lowerings"; "" if the
/// finding is not of Inductor, has no such program, or the bisector finds nothing.
std::string bisection(pyrunner::Runner& runner, const Finding& finding);

/// Used as the place of a finding for which no wrong value was found: everything that a small program does; "" for a
/// larger one.
std::string reduced_program(const Program& program);

}  // namespace jp::campaign
