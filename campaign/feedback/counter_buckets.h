// The buckets of the compiler's counters that the runs of a test fall into: what says that a program made the compiler
// behave in a new way.
#pragma once

#include <string>
#include <vector>

#include "core/outcome.h"

namespace jp::campaign {

/// The buckets of some runs, ascending: "graphs 2", "recompiles 4+", "graph_break: REASON". Counts fall into 1, 2, 3,
/// 4+, 8+, 16+ and so on; zeros into none.
std::vector<std::string> counter_buckets(const std::vector<Outcome>& outcomes);

}  // namespace jp::campaign
