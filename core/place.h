// Where a statement stands in a program's text: how a profile run finds it without our own parser.
#pragma once

#include <string>

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

}  // namespace jp
