// Tensors whose numbers are all so small that the absolute part of the default tolerance would accept any others:
// gradients of a mean, the squares that an optimizer keeps. Their elements may differ by half of the largest.
//
// Terms that cancel inside an operator lose more: the gradient of a confident softmax is such a rest. So a larger
// difference counts only where eager is accurate at this size, by the run in float64, on the values
// themselves and on all other values that were tried, and where neither moved roundings nor other choices explain it.
#pragma once

#include <cstddef>

#include "oracle/judge/elements.h"
#include "oracle/judge/rounding.h"

namespace jp::oracle {

/// What elements of a tensor of small numbers may differ by; 0 if the default tolerance decides. Only what was computed
/// in float32 (`dtype`, or complex numbers of that) is compared in this way. `largest_shown`: the largest number that
/// eager's observation has anywhere, whose roundings may be left where numbers cancel.
double small_tolerance(const Elements& eager, Dtype dtype, double largest_shown);

/// Judges part `i`, which differs by more than `tolerance` and less than the default tolerance.
Settled judge_small(const Elements& eager, const Elements& compiled, const Evidence& evidence, double tolerance,
                    std::size_t i);

}  // namespace jp::oracle
