// Elements of which no two are equal, so that it is known where the largest one is.
#pragma once

#include <string>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

/// An input that `distinct` takes.
Value draw_keyed(Draft& draft, const ShapeWant& shape);

/// Whole numbers that differ along a dimension, or all of them where that is negative; as Python over `$0`.
struct Distinct {
  std::string text;
  Dtype dtype = Dtype::kInt64;
  Interval interval;

  /// The keys that the call picks, in a tensor of that shape.
  Value picked(const Shape& shape) const;
};

/// The whole part of the input, of a float's eightfold, times the number of elements, plus the place: in int64 or
/// float64.
Distinct distinct(Draft& draft, const Value& x, int dim, bool floats_only = false);

}  // namespace jp::seedgen
