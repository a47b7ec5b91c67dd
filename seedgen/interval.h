// Arithmetic on intervals of elements. Ends are pushed outwards by more than rounding can move a result, and floats'
// ends are cut to 12 bits, so that libm's last digit never decides what is drawn.
#pragma once

#include "core/graph.h"

namespace jp::seedgen {

inline constexpr Interval kEverything = {-1e300, 1e300};

/// Where the elements of a value of that dtype shall stay: for integers all that it holds (int64: what a double holds
/// too), for floats far enough from overflow that sums and gradients stay finite.
Interval range_of(Dtype dtype);

bool inside(Interval part, Interval whole);
bool holds(Interval interval, double number);
Interval hull(Interval a, Interval b);
/// The common part; where there is none, the end of `b` that is nearest to `a`.
Interval clip(Interval a, Interval b);

Interval operator+(Interval a, Interval b);
Interval operator-(Interval a, Interval b);
Interval operator*(Interval a, Interval b);
Interval operator-(Interval a);
/// `b` must not hold 0.
Interval quotient(Interval a, Interval b);
Interval magnitude(Interval a);
Interval scaled(Interval a, double factor);
/// The largest absolute value in it.
double largest(Interval a);
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
