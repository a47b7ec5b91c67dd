// Compares everything that two runs of one program show, call by call.
//
// State is compared after calls in which neither side raised. If a call raised, later calls are compared only if
// arguments and state are equal on both sides after it: a compiler may give up before a side effect that eager has
// made, and what follows from that is not a second bug.
#pragma once

#include "core/observation.h"
#include "oracle/judge/comparison.h"
#include "oracle/judge/control_runs.h"

namespace jp::oracle {

/// `controls`: control runs of the same program. A call of one of them that ends differently from the reference's says
/// nothing, nor do those that follow.
Comparison compare(const Observation& eager, const Observation& compiled, const ControlRuns& controls = {});

}  // namespace jp::oracle
