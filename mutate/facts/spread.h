// How far moved roundings move what a live tensor holds, as Facts::moved shows it.
#pragma once

#include <optional>
#include <string>

#include "core/facts.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// Which of a statement's two points.
enum class Side { kBefore, kAfter };

/// The largest distance of a recorded element, of the minimum, the maximum or the mean of the tensor before or after
/// the statement from what the plain run saw, over all runs with moved roundings. Nothing if there are none, if one of
/// them shows another dtype or shape, or if a number in it is unknown or not finite.
std::optional<double> rounding_spread(const Facts& facts, const Statement& statement, Side side,
                                      const std::string& name);

}  // namespace jp::mutate
