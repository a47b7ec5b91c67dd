// Ways through a container: lines that put values in, and expressions that take them out again.
#pragma once

#include <string>
#include <vector>

#include "core/choices.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

struct ContainerRoundTrip {
  /// Put the values in, in between move them about.
  Lines lines;
  /// One expression for each value, in order, to be evaluated once each and in order.
  std::vector<std::string> takes;
  /// The expressions only look: they may be evaluated any number of times, in any order.
  bool looks = true;
  /// Behind the taking, if there was one.
  Lines after;
};

/// A way for one to three names of the function's own that are bound (no underscore in front). `free_builtins`: names
/// like `list` and `sorted` are Python's own here.
ContainerRoundTrip draw_way(const std::vector<std::string>& names, bool free_builtins, Rewrite& rewrite,
                            Choices& choices);

}  // namespace jp::mutate
