// Measures what a finding's reader asks for next: the program with its values written out, the ladder of backends, ways
// to compile, the first wrong value on the way, what Inductor's bisector says, the environment.
#pragma once

#include <optional>

#include "campaign/common/judging.h"
#include "core/verdict.h"
#include "report/evidence.h"

namespace jp::campaign {

/// Half a minute on the lower rungs of the ladder, a few with Inductor. `reduced`: what the finding was reduced to.
report::Evidence gather(pyrunner::Runner& runner, const Finding& finding, const std::optional<Program>& reduced);

/// The finding on a program with its values written out, made from `program`; where that does not diverge alike, on
/// `program` itself; nothing when that doesn't either.
std::optional<Finding> plain_form(pyrunner::Runner& runner, const Finding& finding, const Program& program);

/// The program under each rung of the ladder and under the finding's own backend with dynamic shapes on and off; under
/// Inductor also with emulate_precision_casts where it diverges there.
std::vector<report::Ablation> ablation(pyrunner::Runner& runner, const Finding& finding);

}  // namespace jp::campaign
