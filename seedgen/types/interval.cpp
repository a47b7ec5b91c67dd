#include "seedgen/types/interval.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace jp::seedgen {
namespace {

// Towards -infinity, to 12 bits of mantissa.
double cut_down(double x) {
  constexpr std::uint64_t kCut = (std::uint64_t{1} << 41) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t exponent = bits >> 52 & 0x7ff;
  if (exponent == 0 || exponent == 0x7ff) return x;  // zero, subnormal; infinite, not a number
  // Magnitudes are ordered as their bits are: those of negative numbers grow; a carry goes into the exponent.
  return std::bit_cast<double>((bits + (bits >> 63) * kCut) & ~kCut);
}

// The smallest normal number of each float.
double tiny(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat16:
      return 0x1p-14;
    case Dtype::kFloat64:
    case Dtype::kComplex128:
      return 0x1p-1022;
    default:
      return 0x1p-126;
  }
}

double flush(double x, double least) { return std::abs(x) < least ? 0 : x; }

}  // namespace

Interval quotient(Interval a, Interval b) {
  JP_CHECK(!holds(b, 0), "a quotient by an interval around zero");
  auto [low, high] = std::minmax({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  return {low, high};
}

Interval sum_of(Interval a, double most, bool all) {
  Interval full = {a.low * most, a.high * most};
  return all && most > 0 ? full : hull(full, {0, 0});
}

ComplexBound bound_of(Dtype dtype, Interval interval) {
  double least = magnitude(interval).low;
  double most = largest(interval);
  if (!is_complex(dtype)) return {hull(interval, {0, 0}), least, most, true};
  constexpr double kDiagonal = 1.4142135623730951;
  return {interval, kDiagonal * least, kDiagonal * most, false};
}

Interval disc(double most) { return {-most, most}; }

Interval complex_product(Interval a, Interval b) {
  Interval product = a * b;
  return hull(product - product, product + product);
}

Interval of_number(Dtype dtype, double number) {
  Interval one = {number, number};
  return is_complex(dtype) ? hull(one, {0, 0}) : one;
}

Interval hull_of_parts(Dtype of_a, Interval a, Dtype of_b, Interval b) {
  Interval both = hull(a, b);
  return is_complex(of_a) != is_complex(of_b) ? hull(both, {0, 0}) : both;
}

Interval rounded(Interval a, Dtype dtype, double terms) {
  if (is_integral(dtype)) return {std::floor(a.low), std::ceil(a.high)};
  double part = (terms + 3) * epsilon(dtype);
  bool one_sign = a.low >= 0 || a.high <= 0;
  double low_slack = part * (one_sign ? std::abs(a.low) : largest(a));
  double high_slack = part * (one_sign ? std::abs(a.high) : largest(a));
  Interval wide = {cut_down(a.low - low_slack), -cut_down(-a.high - high_slack)};
  return {a.low >= 0 ? flush(std::max(wide.low, 0.0), tiny(dtype)) : wide.low,
          a.high <= 0 ? flush(std::min(wide.high, 0.0), tiny(dtype)) : wide.high};
}

}  // namespace jp::seedgen
