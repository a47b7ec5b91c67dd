// Functions that are given to functions: elementwise ones of `a`, as Python and as intervals.
#pragma once

#include <string_view>

#include "seedgen/interval.h"

namespace jp::seedgen::bodies {

inline Interval one(Interval) { return {-1, 1}; }
inline Interval unit(Interval) { return {0, 1}; }
inline Interval within_two(Interval) { return {-2, 2}; }
inline Interval doubled(Interval x) { return scaled(x, 2); }
inline Interval squares(Interval x) { return magnitude(x) * magnitude(x); }
inline Interval tripled(Interval x) { return scaled(x, 3) - Interval{1, 1}; }

/// An elementwise function of `a`, what it does to an interval, and its derivative, which is never 1: then a tangent
/// would come back itself.
struct Body {
  std::string_view text;
  Interval (*image)(Interval);
  Interval (*derivative)(Interval);
};
inline Interval two(Interval) { return {0, 2}; }
inline Interval quarter(Interval) { return {0, 0.25}; }
inline Interval three(Interval) { return {3, 3}; }
inline Interval swung(Interval x) { return x + Interval{-1, 1}; }

inline constexpr Body kBodies[] = {
    {"torch.sin(a)", one, one},          {"a * a", squares, doubled},   {"torch.tanh(a) * 2", within_two, two},
    {"torch.sigmoid(a)", unit, quarter}, {"a * 3 - 1", tripled, three}, {"torch.cos(a) + a", swung, two},
};

}  // namespace jp::seedgen::bodies
