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

/// Judges parts that differ by more than `tolerance` and less than the default tolerance.
class SmallNumbers {
 public:
  /// All must outlive it.
  SmallNumbers(const Elements& eager, const Elements& compiled, const Evidence& evidence, double tolerance);
  Settled judge(std::size_t i) const;

 private:
  const Elements& eager_;
  const Elements& compiled_;
  const Evidence& evidence_;
  double tolerance_;
  bool accurate_here_;
  bool accurate_elsewhere_;  // on all other values
};

}  // namespace jp::oracle
