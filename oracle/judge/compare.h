// Compares all that two runs of one program show, call by call.
//
// State is compared after calls in which neither side raised. Where a call raised, the calls after it are compared only
// while both sides still stand alike (arguments and state as before the comparison of values): a compiler may give up
// before a side effect that eager has made, and what follows from that is not a second bug.
#pragma once

#include "core/observation.h"
#include "oracle/judge/comparison.h"
#include "oracle/judge/control_runs.h"

namespace jp::oracle {

/// `panel`: further runs of the same program; A call of one of them that ends otherwise than the
/// reference's is no witness, nor are those that follow.
Comparison compare(const Observation& eager, const Observation& compiled, const ControlRuns& controls = {});

}  // namespace jp::oracle
