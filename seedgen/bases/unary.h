// Elementwise operators of one input: a row says where the function is defined, its effect on an interval, and how it
// rounds. Families of unary operators are tables of such rows.
#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

struct UnaryRule {
  std::string_view name;
  /// The image of an interval inside `domain`.
  Interval (*image)(Interval) = nullptr;
  Interval domain = kEverything;
  DtypeSet dtypes = kAnyDtype;
  Exactness exactness = Exactness::kLoose;
  /// Integers and bools become float32 (exp), or keep their dtype (abs).
  bool floating = true;
  Saves saves = Saves::kAll;
  bool discontinuous = false;
  /// The same image of complex numbers whose parts lie in the interval; nullptr: complex inputs are not supported.
  Interval (*complex_image)(Interval) = nullptr;
  /// The permitted interval of their parts; contains the number of `domain` that is nearest to 1.
  Interval complex_domain = kEverything;
  Exactness complex_exactness = Exactness::kLoose;
  /// Complex numbers have real results.
  bool to_real = false;
  /// Autograd has no derivative: the input requires no gradients.
  bool plain = false;
  /// A further test of live values; nullptr: all that fit.
  bool (*live)(const Value&) = nullptr;
  /// Preferred inputs; nullptr: if the rule is discontinuous, ones that span several of its steps.
  bool (*preferred)(const Value&) = nullptr;
  /// The result has whole numbers only.
  bool whole = false;
  /// Discontinuous: whether an inexact input lies clear of all steps (Want::clear); nullptr: inputs are exact.
  bool (*clear)(const Value&) = nullptr;
};

/// The rule, extended to complex numbers with parts in `domain`.
constexpr UnaryRule with_complex(UnaryRule rule, Interval (*image)(Interval), Interval domain = kEverything,
                                 Exactness exactness = Exactness::kLoose) {
  rule.complex_image = image;
  rule.complex_domain = domain;
  rule.complex_exactness = exactness;
  return rule;
}

/// The rule with real results for complex numbers.
constexpr UnaryRule to_real(UnaryRule rule) {
  rule.to_real = true;
  return rule;
}

/// The rule for inputs that require no gradients.
constexpr UnaryRule without_gradients(UnaryRule rule) {
  rule.plain = true;
  return rule;
}

/// The rule with whole numbers as results, and inexact inputs that are clear of its steps.
constexpr UnaryRule rounding(UnaryRule rule, bool (*clear)(const Value&)) {
  rule.whole = true;
  rule.clear = clear;
  return rule;
}

/// The rules under the names of their in-place forms, which live as long as the process: exp becomes exp_.
std::vector<UnaryRule> in_place(std::vector<UnaryRule> rules);

/// The image of a function that is monotonic over its domain.
template <double (*kFunction)(double)>
Interval rising(Interval x) {
  return {kFunction(x.low), kFunction(x.high)};
}
template <double (*kFunction)(double)>
Interval falling(Interval x) {
  return {kFunction(x.high), kFunction(x.low)};
}
/// The images of sine and cosine, which turn between the ends.
Interval sine_image(Interval x);
Interval cosine_image(Interval x);
/// The image of erf with torch's absolute error in float16 and bfloat16 (1.9e-7 measured: the results of the smallest
/// operands are 0).
Interval erf_image(Interval x);
inline Interval identity(Interval x) { return x; }

/// The result's dtype for an input's.
inline Dtype unary_dtype(const UnaryRule& rule, Dtype dtype) {
  if (rule.to_real) dtype = real_dtype(dtype);
  return rule.floating ? to_floating(dtype) : dtype;
}

/// The result's interval, or nothing if it leaves its dtype.
std::optional<Interval> unary_image(const UnaryRule& rule, Dtype dtype, Interval x);

/// Draws the input and records the call.
void draw_unary(Draft& draft, const UnaryRule& rule, Forms forms, std::string_view infix = "");

/// The same for the in-place form.
void draw_unary_in_place(Draft& draft, const UnaryRule& rule, Forms forms);

}  // namespace jp::seedgen
