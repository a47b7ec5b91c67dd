// Tensors whose elements all differ, so that the position of the largest one is well defined.
#pragma once

#include <string>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

/// An input that `distinct` accepts.
Value draw_keyed(Draft& draft, const ShapeWant& shape);

/// Whole numbers that differ along a dimension, or all of them if it is negative; as Python over `$0`.
struct Distinct {
  std::string text;
  Dtype dtype = Dtype::kInt64;
  Interval interval;

  /// The elements that the call picks, in a tensor of that shape.
  Value picked(const Shape& shape) const;
};

/// The whole part of the input (for floats of eight times the input), times the number of elements, plus the position:
/// in int64 or float64.
Distinct distinct(Draft& draft, const Value& x, int dim, bool floats_only = false);

}  // namespace jp::seedgen
