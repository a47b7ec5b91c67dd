// Compares all that two runs of one program show, call by call.
//
// State is compared after calls in which neither side raised. Where a call raised, the calls after it are compared only
// while both sides still stand alike (arguments and state as before the comparison of values): a compiler may give up
// before a side effect that eager has made, and what follows from that is not a second bug.
#pragma once

#include "core/observation.h"
#include "oracle/comparison.h"

namespace jp::oracle {

/// `float64`: the float64 run of the same program, or nullptr. A call of it that ends otherwise than eager's is no
/// witness, nor are those that follow.
Comparison compare(const Observation& eager, const Observation& compiled, const Observation* float64);

}  // namespace jp::oracle
