// Line differences between two texts, as `diff -u` writes them.
#pragma once

#include <string>
#include <string_view>

namespace jp::app {

/// A unified diff with three lines of context; "" when the texts are equal. Coloured for a terminal when asked.
/// Shortest edit script (Myers 1986 gives the same length; here by dynamic programming, quadratic, for programs).
std::string unified_diff(std::string_view before, std::string_view after, bool colour);

}  // namespace jp::app
