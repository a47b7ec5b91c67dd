// Where a difference comes from, measured by running: the first wrong value on the way
// (campaign/evidence/intermediates.h), on the way back for gradients (campaign/evidence/backward.h), the statement that
// eager refuses where the compiled run accepts, and what Inductor's bisector names.
#pragma once

#include <optional>
#include <string>

#include "core/verdict.h"
#include "pyrunner/runner.h"
#include "report/evidence.h"

namespace jp::campaign {

/// How each program on the way is judged: as candidates of a reduction are, or as a finding is.
enum class Thorough { kBriefly, kFully };

/// The first wrong value of a finding whose signature is one of values (oracle::is_of_values); nothing for others, and
/// where none is found. Costs one judgement, or as many as the logarithm of its values where showing all hides the
/// fault; none for what only eager refuses.
std::optional<report::Intermediate> first_wrong_value(pyrunner::Runner& runner, const Finding& finding,
                                                      Thorough thorough);

/// What Inductor's own bisector says of the finding's short form, lines "subsystem: lowerings"; "" where the finding is
/// not of Inductor, has no short form, or the bisector comes to nothing.
std::string bisection(pyrunner::Runner& runner, const Finding& finding);

/// What stands for a place where no wrong value was found: all that a small program does; "" for a larger one.
std::string reduced_program(const Program& program);

}  // namespace jp::campaign
