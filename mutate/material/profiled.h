// Live tensors compared with the values that the profile run saw: zeros that are exact on this input, and tests whose
// result is known.
//
// A value that was computed may come out with other roundings, so nothing is built from its difference to a constant
// alone: relu, masks, comparisons, conversions to integers and bounds make it zero wherever it is below a margin. The
// margin is a power of two, which every floating dtype holds exactly, at least 64 times what moved roundings moved the
// tensor by (Facts::moved), and a share of its largest magnitude for what they don't show, such as a sum in another
// order (the factors are chosen, not measured). Integers, and arguments that are unchanged, are compared exactly.
//
// A constant has all elements of a tensor of up to 64 or a row of it, 16 elements of a larger one, or the sum of these
// elements, whose margin is that of one for each. Of a tensor of any size it is the sum or the mean of all elements,
// which holds in whatever order they are added (comparable.h); for an argument, the argument itself, drawn again by
// make_inputs (constants.h). Or all elements, or the extremes of rows, are compared with a bound (bounds.h): the
// minimum or maximum that the profile run saw and the margin beyond it, or a tensor drawn from a seed that is beyond
// that everywhere. Bounds also hold for values that moved roundings move by more than a 64th of their magnitude.
#pragma once

#include <optional>

#include "core/choices.h"
#include "mutate/material/zeros.h"

namespace jp::mutate {

/// A tensor of the target's dtype that broadcasts to its shape and is zero on this input, bit for bit but for the sign,
/// whatever a compiler rounds. It may be multiplied by any finite tensor. Gradients of it are zero.
std::optional<BoundedExpression> draw_profiled_zero(const Point& point, const LiveTensor& target, Choices& choices);

/// A tensor of bools that broadcasts to the target's shape and is true everywhere on this input, or false everywhere.
std::optional<BoundedExpression> draw_profiled_test(const Point& point, const LiveTensor& target, bool holds,
                                                    Choices& choices);

}  // namespace jp::mutate
