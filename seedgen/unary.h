// Elementwise operators of one input: a row says where the function is defined, what it does to an interval, and how it
// rounds. Families of unary operators are tables of such rows.
#pragma once

#include <cmath>
#include <string_view>

#include "seedgen/draft.h"

namespace jp::seedgen {

struct UnaryRule {
  std::string_view name;
  /// The image of an interval inside `domain`.
  Interval (*image)(Interval) = nullptr;
  Interval domain = kEverything;
  DtypeSet dtypes = kAnyDtype;
  Exactness exactness = Exactness::kLoose;
  /// Integers and bools become float32 (exp), or stay what they are (abs).
  bool floating = true;
  Saves saves = Saves::kAll;
  bool jumps = false;
};

/// The image of a function that rises, or falls, over its domain.
template <double (*kFunction)(double)>
Interval rising(Interval x) {
  return {kFunction(x.low), kFunction(x.high)};
}
template <double (*kFunction)(double)>
Interval falling(Interval x) {
  return {kFunction(x.high), kFunction(x.low)};
}
inline Interval identity(Interval x) { return x; }

/// The dtype that the rule gives for an input's.
inline Dtype unary_dtype(const UnaryRule& rule, Dtype dtype) { return rule.floating ? to_floating(dtype) : dtype; }

/// The result's interval, or nothing where it leaves its dtype.
std::optional<Interval> unary_image(const UnaryRule& rule, Dtype dtype, Interval x);

/// Draws the input and records the call.
void draw_unary(Draft& draft, const UnaryRule& rule, Forms forms, std::string_view infix = "");

/// The same in place.
void draw_unary_in_place(Draft& draft, const UnaryRule& rule, Forms forms);

}  // namespace jp::seedgen
