// What found what: the tests and the confirmed findings of a campaign by mutation, pair of mutations, seed source,
// oracle, backend and call.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/feedback/test_record.h"
#include "core/result.h"

namespace jp::campaign {

/// One mutation, backend, ...
struct RuleCount {
  std::string name;
  std::int64_t tests = 0;      // judged tests that it was in
  std::int64_t diverging = 0;  // of those tests
  /// Confirmed findings that it is in: for a mutation those that need it, for all else those with a sighting by it.
  std::int64_t findings = 0;
  /// Of those, the findings that nothing else of its kind found or was needed for.
  std::int64_t alone = 0;
  /// Sums over its tests.
  std::int64_t graph_breaks = 0;
  std::int64_t recompiles = 0;
  double seconds = 0;
};

/// The counts of one kind, by name; calls by number.
struct RuleStatistics {
  std::string_view kind;  // "mutation", "pair", "source", "oracle", "backend", "call"
  std::vector<RuleCount> rows;
};

/// All kinds, and under "mutation" also those of the catalogue that no test had. A finding needs the mutations that its
/// reduced program keeps; before it is reduced, its whole lineage. Graph breaks and recompiles are those of the tests
/// that have a mutation, whatever caused them: compare with the mean of all, under "all" with the one name "". `each`,
/// if there is one, gets each test once, in the order in which they ended: the log of a long campaign takes long to
/// read.
Result<std::vector<RuleStatistics>> rule_statistics_of(const std::string& folder,
                                                       const std::function<void(const TestRecord&)>& each = {});

}  // namespace jp::campaign
