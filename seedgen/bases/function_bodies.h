// Functions that are given to functions: elementwise ones of `a`, as Python and as intervals.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "seedgen/types/interval.h"
#include "seedgen/types/types.h"

namespace jp::seedgen::bodies {

inline Interval one(Interval) { return {-1, 1}; }
inline Interval unit(Interval) { return {0, 1}; }
inline Interval within_two(Interval) { return {-2, 2}; }
inline Interval doubled(Interval x) { return scaled(x, 2); }
inline Interval squares(Interval x) { return magnitude(x) * magnitude(x); }
inline Interval tripled(Interval x) { return scaled(x, 3) - Interval{1, 1}; }

inline Dtype kept(Dtype dtype) { return dtype; }
inline Dtype counted(Dtype dtype) { return dtype == Dtype::kBool ? Dtype::kInt64 : dtype; }

/// An elementwise function of `a`, what it does to an interval and to a dtype, and its derivative, which is never 1:
/// then a tangent would come back itself.
struct Body {
  std::string_view text;
  Interval (*image)(Interval);
  Interval (*derivative)(Interval);
  Dtype (*dtype)(Dtype);
};
inline Interval two(Interval) { return {0, 2}; }
inline Interval quarter(Interval) { return {0, 0.25}; }
inline Interval three(Interval) { return {3, 3}; }
inline Interval swung(Interval x) { return x + Interval{-1, 1}; }

inline constexpr Body kBodies[] = {
    {"torch.sin(a)", one, one, to_floating},
    {"a * a", squares, doubled, kept},
    {"torch.tanh(a) * 2", within_two, two, to_floating},
    {"torch.sigmoid(a)", unit, quarter, to_floating},
    {"a * 3 - 1", tripled, three, counted},
    {"torch.cos(a) + a", swung, two, to_floating},
};

/// What the body gives for such a value, as an interval of its result's dtype.
inline Interval image_of(const Body& body, const Value& x) {
  return rounded(body.image(x.interval), body.dtype(x.dtype), 8);
}

/// A body that doesn't overflow for such a value, and that gives that dtype, if one is named.
inline const Body& draw_body(Choices& choices, const Value& x, std::optional<Dtype> gives = std::nullopt) {
  std::vector<const Body*> possible;
  for (const Body& body : kBodies) {
    const Dtype dtype = body.dtype(x.dtype);
    if (inside(image_of(body, x), range_of(dtype)) && dtype == gives.value_or(dtype)) possible.push_back(&body);
  }
  return *choices.pick(possible);
}

/// Elements of `a + b` or `a * b` in that dtype.
inline Interval met(Dtype dtype, bool adds, Interval a, Interval b) {
  if (dtype == Dtype::kBool) return {0, 1};
  return rounded(adds ? a + b : a * b, dtype, 8);
}

}  // namespace jp::seedgen::bodies
