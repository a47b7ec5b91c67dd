// Round trips through a container: lines that put values in, and expressions that take them out again.
#pragma once

#include <string>
#include <vector>

#include "core/choices.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

/// The lines and expressions of one round trip.
struct RoundTrip {
  /// Put the values into the container, and possibly rearrange it.
  Lines lines;
  /// One expression for each value, in order, to be evaluated once each and in order.
  std::vector<std::string> takes;
  /// The expressions don't change the container: they may be evaluated any number of times, in any order.
  bool looks = true;
  /// Lines to put after the expressions, if these have been evaluated.
  Lines after;
};

/// Draws a round trip for one to three bound local names without a leading underscore. `free_builtins`: the file binds
/// none of the builtins that round trips use (`list`, `sorted`, ...).
RoundTrip draw_round_trip(const std::vector<std::string>& names, bool free_builtins, Rewrite& rewrite,
                          Choices& choices);

}  // namespace jp::mutate
