// What one eager run observed before and after each statement: plain data that mutations may rely on.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/names.h"

namespace jp {

/// One run's facts. `before[id]` is the point just before the statement; `after[id]` just after it (no entry for a
/// statement that never ended normally). A statement without an entry was never reached or can't be profiled.
struct Facts {
  std::map<std::string, Names> before;
  std::map<std::string, Names> after;
  /// Statements that were reached, with the number of visits over all calls.
  std::map<std::string, std::int64_t> visits;
  /// Number of calls of the entry.
  std::int64_t calls = 0;
  /// What more runs showed in which the results of operators that round were moved by -1, 0 or 1 units in the last
  /// place. Empty if none were made; one that did not end normally has no points.
  std::vector<Facts> moved;

  /// What is known of a name before a statement, or nullptr.
  const NameFacts* find_before(const std::string& statement, const std::string& name) const;
  const NameFacts* find_after(const std::string& statement, const std::string& name) const;
};

}  // namespace jp
