// Which compiler component is at fault, as far as the ladder of backends tells: the first backend that diverges in the
// same way.
#pragma once

#include "campaign/common/judging.h"

namespace jp::campaign {

/// The judgement on the lowest backend of the ladder that shows the same kind of difference as `first`, which was made
/// on `options.backend`; `first` itself if there is none, or if the backend is not on the ladder. Its outcomes
/// of runs that compile nothing count for each backend.
JudgedProgram attribute(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                        const oracle::PlanOptions& options, JudgedProgram first);

}  // namespace jp::campaign
