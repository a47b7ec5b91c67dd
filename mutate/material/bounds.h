// Bounds that no element of a live tensor reaches on this input, however far rounding moves it.
#pragma once

#include <optional>
#include <string>

#include "core/choices.h"
#include "core/dtype.h"
#include "mutate/material/zeros.h"

namespace jp::mutate {

/// All elements of a tensor, or the extreme ones of its rows, and a bound: a number, or a number further on for each
/// element, drawn from a seed (constants.h).
struct Bound {
  std::string value;
  std::string bound;
  std::string name;
  Dtype dtype = Dtype::kFloat32;
  bool upper = true;
  bool like_target = false;  // it broadcasts to the target's shape; otherwise it must be reduced

  /// True nowhere on this input.
  std::string beyond() const;
};
std::optional<Bound> draw_bound(const Point& point, const LiveTensor& target, Choices& choices);

/// A tensor of the bound's dtype that is zero everywhere.
std::string draw_zero_beyond(const Point& point, const Bound& bound, Choices& choices);

}  // namespace jp::mutate
