// Arithmetic on intervals of elements. Ends are pushed outwards by more than rounding can move a result, and floats'
// ends are cut to 12 bits, so that libm's last digit never decides what is drawn.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/graph.h"

namespace jp::seedgen {

inline constexpr Interval kEverything = {-1e300, 1e300};

/// Where the elements of a value of that dtype shall stay: for integers all that it holds (int64: what a double holds
/// too), for floats far enough from overflow that sums and gradients stay finite.
inline Interval range_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kBool:
      return {0, 1};
    case Dtype::kUInt8:
      return {0, 255};
    case Dtype::kInt8:
      return {-128, 127};
    case Dtype::kInt16:
      return {-32768, 32767};
    case Dtype::kInt32:
      return {-2147483648.0, 2147483647.0};
    case Dtype::kInt64:
      return {-0x1p52, 0x1p52};
    case Dtype::kFloat16:
      return {-20000, 20000};
    case Dtype::kFloat64:
    case Dtype::kComplex128:
      return {-1e15, 1e15};
    default:
      return {-1e9, 1e9};
  }
}

/// Whether a value that was found to fit may have that interval: its ends are rounded outwards afterwards, and a
/// complement is one off. Wide integers and floats hold far more than range_of().
inline bool stays_inside(Interval interval, Dtype dtype) {
  constexpr double kRoundedOut = 1.02;
  const Interval range = range_of(dtype);
  const bool narrow = dtype == Dtype::kBool || dtype == Dtype::kUInt8 || dtype == Dtype::kInt8 ||
                      dtype == Dtype::kInt16 || dtype == Dtype::kInt32;
  const double most = narrow ? 1 : kRoundedOut;
  return interval.low >= range.low * most && interval.high <= range.high * most;
}

inline bool inside(Interval part, Interval whole) { return part.low >= whole.low && part.high <= whole.high; }
inline bool holds(Interval interval, double number) { return interval.low <= number && number <= interval.high; }
inline Interval hull(Interval a, Interval b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }
/// The common part; where there is none, the end of `b` that is nearest to `a`.
inline Interval clip(Interval a, Interval b) {
  return {std::clamp(a.low, b.low, b.high), std::clamp(a.high, b.low, b.high)};
}

inline Interval operator+(Interval a, Interval b) { return {a.low + b.low, a.high + b.high}; }
inline Interval operator-(Interval a, Interval b) { return {a.low - b.high, a.high - b.low}; }
inline Interval operator*(Interval a, Interval b) {
  auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}
inline Interval operator-(Interval a) { return {-a.high, -a.low}; }
/// `b` must not hold 0.
Interval quotient(Interval a, Interval b);
inline Interval scaled(Interval a, double factor) { return a * Interval{factor, factor}; }
/// The largest absolute value in it.
inline double largest(Interval a) { return std::max(std::abs(a.low), std::abs(a.high)); }
inline Interval magnitude(Interval a) {
  if (a.low >= 0) return a;
  if (a.high <= 0) return -a;
  return {0, largest(a)};
}
/// Sums of 0 to `most` elements, or of exactly `most` when `all`.
Interval sum_of(Interval a, double most, bool all = true);

/// What is known of complex numbers, or of real ones among them.
struct ComplexBound {
  /// Of the real and of the imaginary part each; a real number's has 0.
  Interval parts;
  /// Of the absolute values.
  double least = 0;
  double most = 0;
  bool real = false;
};
/// Of elements of that dtype in that interval.
ComplexBound bound_of(Dtype dtype, Interval interval);
/// The parts of numbers of at most that absolute value.
Interval disc(double most);
/// The parts of products of numbers with such parts.
Interval complex_product(Interval a, Interval b);
/// The interval of one number, which has no imaginary part where the dtype is complex.
Interval of_number(Dtype dtype, double number);
/// Any of the two; of 0 as well where one of two dtypes is complex and the other is not.
Interval hull_of_parts(Dtype of_a, Interval a, Dtype of_b, Interval b);

/// What `a` becomes when it is computed in `dtype`: outwards by the rounding of `terms` operations; whole numbers for
/// integers; a low end too small for the dtype becomes 0.
Interval rounded(Interval a, Dtype dtype, double terms = 1);

}  // namespace jp::seedgen
