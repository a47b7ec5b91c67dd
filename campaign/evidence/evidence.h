// Measures what a reader of a finding asks for next: the program with its values written out, the ladder of backends,
// compile configurations, the first wrong intermediate value, what Inductor's bisector says, the environment.
#pragma once

#include <optional>

#include "campaign/common/judging.h"
#include "core/verdict.h"
#include "report/evidence.h"

namespace jp::campaign {

/// Takes half a minute on the lower backends of the ladder, a few minutes with Inductor. `reduced`: the program that
/// the finding was reduced to.
report::Evidence gather(pyrunner::Runner& runner, const Finding& finding, const std::optional<Program>& reduced);

/// The finding on a program with its values written out, made from `program`; if that does not diverge in the same way,
/// on `program` itself; nothing if that doesn't either.
std::optional<Finding> plain_form(pyrunner::Runner& runner, const Finding& finding, const Program& program);

/// Judges the program under each backend of the ladder and under the finding's own backend with dynamic shapes on and
/// off; under Inductor also with emulate_precision_casts if it diverges there.
std::vector<report::Ablation> ablation(pyrunner::Runner& runner, const Finding& finding);

}  // namespace jp::campaign
