// Line differences between two texts, as `diff -u` writes them.
#pragma once

#include <string>
#include <string_view>

namespace jp::report {

/// A unified diff without names of files; "" when the texts have equal lines (a line break at the end makes no
/// difference). Three lines of context, up to five at the end of the text. With `colour`, escapes of a terminal around
/// what changed. The edit script is a shortest one (dtl; Wu, Manber, Myers and Miller 1990: "An O(NP) sequence
/// comparison algorithm").
std::string unified_diff(std::string_view before, std::string_view after, bool colour);

}  // namespace jp::report
