#include "seedgen/interval.h"

#include <algorithm>
#include <cmath>

namespace jp::seedgen {
namespace {

// Towards -infinity, to 12 bits of mantissa.
double cut_down(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::floor(mantissa * 4096), exponent - 12);
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

Interval range_of(Dtype dtype) {
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

bool inside(Interval part, Interval whole) { return part.low >= whole.low && part.high <= whole.high; }
bool holds(Interval interval, double number) { return interval.low <= number && number <= interval.high; }
Interval hull(Interval a, Interval b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }
Interval clip(Interval a, Interval b) { return {std::clamp(a.low, b.low, b.high), std::clamp(a.high, b.low, b.high)}; }

Interval operator+(Interval a, Interval b) { return {a.low + b.low, a.high + b.high}; }
Interval operator-(Interval a, Interval b) { return {a.low - b.high, a.high - b.low}; }
Interval operator-(Interval a) { return {-a.high, -a.low}; }

Interval operator*(Interval a, Interval b) {
  auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}

Interval quotient(Interval a, Interval b) {
  JP_CHECK(!holds(b, 0), "a quotient by an interval around zero");
  auto [low, high] = std::minmax({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  return {low, high};
}

Interval magnitude(Interval a) {
  if (a.low >= 0) return a;
  if (a.high <= 0) return -a;
  return {0, largest(a)};
}

Interval scaled(Interval a, double factor) { return a * Interval{factor, factor}; }
double largest(Interval a) { return std::max(std::abs(a.low), std::abs(a.high)); }

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
