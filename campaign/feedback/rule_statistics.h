// What found what: the tests and the confirmed findings of a campaign by mutation, pair of mutations, door, oracle,
// backend and call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace jp::campaign {

/// One mutation, backend, ...
struct RuleCount {
  std::string name;
  std::int64_t tests = 0;      // that it was in and that were judged
  std::int64_t diverging = 0;  // of them
  /// Confirmed findings that it is in: of a mutation those that need it, of all else those with a sighting by it.
  std::int64_t findings = 0;
  /// Of them those that nothing else of its kind found or was needed for.
  std::int64_t alone = 0;
  /// Sums over its tests.
  std::int64_t graph_breaks = 0;
  std::int64_t recompiles = 0;
  double seconds = 0;
};

/// All shares of one kind, by name; of calls by number.
struct RuleStatistics {
  std::string_view kind;  // "mutation", "pair", "door", "oracle", "backend", "call"
  std::vector<RuleCount> rows;
};

/// All kinds, and under "mutation" also those of the catalogue that no test had. A finding needs the mutations that its
/// reduced program keeps; while it is not reduced, all of its lineage. Graph breaks and recompiles are those of the
/// tests that have a mutation, whatever caused them: compare with the mean of all, under "all" with the one name "".
Result<std::vector<RuleStatistics>> rule_statistics_of(const std::string& folder);

}  // namespace jp::campaign
