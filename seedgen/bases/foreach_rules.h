// What a row of the table of operators over lists says, the images of intervals that rows name, and how calls are
// written.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "seedgen/bases/unary.h"
#include "seedgen/draw/draft.h"

namespace jp::seedgen::foreach_rules {

inline constexpr double kLeastDivisor = 0.0625;

/// The interval of the result from those of the first, second and third operand, if there are such.
using Image = Interval (*)(Interval x, Interval y, Interval z);

enum class Kind : std::uint8_t { kUnary, kBinary, kTernary, kBlend };

struct Row {
  std::string_view name;
  Kind kind;
  Image image;
  DtypeSet dtypes = kFloats;
  Interval domain = kEverything;
  /// For the second or third operand: its permitted interval, and its neutral value.
  Interval parameter = kEverything;
  double neutral = 0;
  Exactness exactness = Exactness::kLoose;
  bool discontinuous = false;
  /// Integers and bools that it takes; if `floating`, their results are float32.
  DtypeSet integers = {};
  bool floating = false;
  /// The parts of complex results; nullptr: not supported.
  Image complex = nullptr;
  Interval complex_domain = kEverything;
};

/// The row, extended to integers and bools, with results of their own dtype or of float32.
constexpr Row with_integers(Row row, DtypeSet integers = kIntegers) {
  row.integers = integers;
  return row;
}
constexpr Row to_floats(Row row) {
  row.integers = kIntegers | kBools;
  row.floating = true;
  return row;
}
/// The row, extended to complex numbers with parts in `domain`.
constexpr Row with_complex(Row row, Image image, Interval domain = kEverything) {
  row.complex = image;
  row.complex_domain = domain;
  return row;
}

template <double (*kFunction)(double)>
inline Interval rises(Interval x, Interval, Interval) {
  return {kFunction(x.low), kFunction(x.high)};
}
inline double exp_of(double x) { return std::exp(x); }
inline double expm1_of(double x) { return std::expm1(x); }
inline double log_of(double x) { return std::log(x); }
inline double log1p_of(double x) { return std::log1p(x); }
inline double sqrt_of(double x) { return std::sqrt(x); }
inline double tanh_of(double x) { return std::tanh(x); }
inline double atan_of(double x) { return std::atan(x); }
inline double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
inline double floor_of(double x) { return std::floor(x); }
inline double ceil_of(double x) { return std::ceil(x); }
inline double trunc_of(double x) { return std::trunc(x); }
inline double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
inline Interval erf_image(Interval x, Interval, Interval) { return seedgen::erf_image(x); }
inline Interval round_image(Interval x, Interval, Interval) { return {std::floor(x.low), std::ceil(x.high)}; }
inline Interval frac_image(Interval x, Interval, Interval) { return {x.low < 0 ? -1.0 : 0.0, x.high > 0 ? 1.0 : 0.0}; }
inline Interval negated(Interval x, Interval, Interval) { return -x; }
inline Interval absolute(Interval x, Interval, Interval) { return magnitude(x); }
inline Interval unit(Interval, Interval, Interval) { return {-1, 1}; }
inline Interval reciprocal_image(Interval x, Interval, Interval) { return quotient({1, 1}, x); }
inline Interval rsqrt_image(Interval x, Interval, Interval) { return {1 / std::sqrt(x.high), 1 / std::sqrt(x.low)}; }
inline Interval sum(Interval x, Interval y, Interval) { return x + y; }
inline Interval difference(Interval x, Interval y, Interval) { return x - y; }
inline Interval product(Interval x, Interval y, Interval) { return x * y; }
inline Interval ratio(Interval x, Interval y, Interval) { return quotient(x, y); }
inline Interval larger(Interval x, Interval y, Interval) { return {std::max(x.low, y.low), std::max(x.high, y.high)}; }
inline Interval smaller(Interval x, Interval y, Interval) { return {std::min(x.low, y.low), std::min(x.high, y.high)}; }
// For exponents from 1 to 3.
inline Interval power(Interval x, Interval y, Interval) {
  return {std::min(1.0, std::pow(x.low, y.high)), std::max(1.0, std::pow(x.high, y.high))};
}
inline Interval plus_product(Interval x, Interval y, Interval z) { return x + y * z; }
inline Interval plus_ratio(Interval x, Interval y, Interval z) { return x + quotient(y, z); }
inline Interval between(Interval x, Interval y, Interval) { return hull(x, y); }

inline double outermost(Interval x) { return 1.4142135623730951 * largest(x); }
inline Interval complex_abs(Interval x, Interval, Interval) { return {0, outermost(x)}; }
inline Interval complex_exp(Interval x, Interval, Interval) { return disc(std::exp(x.high)); }
inline Interval complex_expm1(Interval x, Interval, Interval) { return disc(std::exp(x.high) + 1); }
inline Interval complex_log(Interval x, Interval, Interval) {
  return {std::min(std::log(x.low), 0.0), std::log(outermost(x)) + 3};
}
inline Interval complex_log1p(Interval x, Interval, Interval) { return {0, std::log(outermost(x) + 1) + 3}; }
inline Interval complex_root(Interval x, Interval, Interval) { return {0, std::sqrt(outermost(x))}; }
inline Interval complex_rsqrt(Interval x, Interval, Interval) { return disc(1 / std::sqrt(x.low)); }
inline Interval complex_reciprocal(Interval x, Interval, Interval) { return disc(1 / x.low); }
inline Interval complex_wave(Interval x, Interval, Interval) { return disc(std::cosh(largest(x))); }
inline Interval complex_tangent(Interval, Interval, Interval) { return disc(8); }
inline Interval complex_arc(Interval, Interval, Interval) { return disc(4); }
inline Interval complex_unit(Interval, Interval, Interval) { return disc(1); }
// The second and third operands are lists of complex numbers, or real numbers.
inline Interval complex_sum(Interval x, Interval y, Interval) { return x + hull(y, {0, 0}); }
inline Interval complex_difference(Interval x, Interval y, Interval) { return x - hull(y, {0, 0}); }
inline Interval complex_times(Interval x, Interval y, Interval) { return disc(outermost(x) * outermost(y)); }
inline Interval complex_ratio(Interval x, Interval y, Interval) { return disc(outermost(x) / y.low); }
// |z^w| is at most e^(|w| |log z|).
inline Interval complex_power(Interval x, Interval y, Interval) {
  const double logarithm = std::max(std::abs(std::log(x.low)), std::abs(std::log(outermost(x)))) + 1.6;
  return disc(std::exp(outermost(y) * logarithm));
}
inline Interval complex_plus_product(Interval x, Interval y, Interval z) {
  return x + disc(outermost(y) * outermost(z));
}
inline Interval complex_plus_ratio(Interval x, Interval y, Interval z) { return x + disc(outermost(y) / z.low); }
// A weight has parts from 0 to 1.
inline Interval complex_between(Interval x, Interval y, Interval) {
  return x + disc(1.5 * (outermost(x) + outermost(y)));
}

inline constexpr auto kSame = Exactness::kSame;
inline constexpr auto kRounded = Exactness::kRounded;
inline constexpr auto kLoose = Exactness::kLoose;
inline constexpr Interval kPositive = {kLeastDivisor, 1e6};

inline constexpr DtypeSet kAllIntegers = kIntegers | kBools;
inline constexpr Interval kTurns = {-1.25, 1.25};

// The ways to write the calls.
inline constexpr std::string_view kOne[] = {"torch.#($0)"};
inline constexpr std::string_view kOneInPlace[] = {"torch.#_($0)"};
inline constexpr std::string_view kTwo[] = {"torch.#($0, $1)"};
inline constexpr std::string_view kTwoInPlace[] = {"torch.#_($0, $1)"};
inline constexpr std::string_view kScaled[] = {"torch.#($0, $1, alpha=$2)"};
inline constexpr std::string_view kScaledInPlace[] = {"torch.#_($0, $1, alpha=$2)"};
inline constexpr std::string_view kNumberFirst[] = {"torch.#($1, $0)"};
inline constexpr std::string_view kThree[] = {"torch.#($0, $1, $2)"};
inline constexpr std::string_view kThreeInPlace[] = {"torch.#_($0, $1, $2)"};
inline constexpr std::string_view kValue[] = {"torch.#($0, $1, $2, value=$3)", "torch.#($0, $1, $2, $3)"};
inline constexpr std::string_view kValues[] = {"torch.#($0, $1, $2, $3)", "torch.#($0, $1, $2, scalars=$3)"};
inline constexpr std::string_view kValuesInPlace[] = {"torch.#_($0, $1, $2, $3)", "torch.#_($0, $1, $2, scalars=$3)"};
inline constexpr std::string_view kValueInPlace[] = {"torch.#_($0, $1, $2, value=$3)", "torch.#_($0, $1, $2, $3)"};

inline std::vector<Ref> refs_of(const std::vector<Value>& values) {
  std::vector<Ref> refs;
  for (const Value& value : values) refs.push_back({value.id});
  return refs;
}

}  // namespace jp::seedgen::foreach_rules
