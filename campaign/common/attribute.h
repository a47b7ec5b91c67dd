// Which component is at fault, as far as the ladder of backends tells: the first rung that diverges in the same way.
#pragma once

#include "campaign/common/judging.h"

namespace jp::campaign {

/// The judgement on the lowest rung of the ladder that shows the same kind of difference as `first`, which was made on
/// `options.backend`; `first` itself when there is none, or when the backend is not of the ladder.
JudgedProgram attribute(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                        const oracle::PlanOptions& options, JudgedProgram first);

}  // namespace jp::campaign
