// Where a statement stands in a program's text: how a profile run finds it without our own parser.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jp {

/// As Python's `ast` counts: lines from 1, columns from 0 in UTF-8 bytes. A decorated definition stands at its `def`
/// (or `async def`) or `class`, not at its first decorator.
struct StatementPlace {
  std::string id;
  int line = 0;
  int column = 0;
  int end_line = 0;
  int end_column = 0;
  bool operator==(const StatementPlace&) const = default;
};

/// Where a profile run reads facts: after a statement, before the one that follows it, or both at once.
struct WatchedPoint {
  int behind = -1;  // indices of statements, or -1
  int before = -1;
  bool operator==(const WatchedPoint&) const = default;
};

/// A program's text with one more line at each of its points, `~kPointHook`: faster to compile than a modified syntax
/// tree. The line number identifies the point, so that the same function has the same text wherever it stands.
inline constexpr std::string_view kPointHook = "__jitprobe_point__";
struct WatchedText {
  std::string source;
  std::vector<WatchedPoint> points;  // by number
  std::vector<int> lines;            // the lines of the points, from 1, ascending
  std::vector<int> parts;            // lines before which the file may be cut and compiled in parts, ascending
};

/// What a profile run is to watch: the program's statements, and the instrumented text if the program can't observe
/// that its lines have moved.
struct Watched {
  std::vector<StatementPlace> places;
  std::optional<WatchedText> text;
};

}  // namespace jp
