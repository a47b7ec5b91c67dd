// How a campaign went: its test log as points of a curve.
#pragma once

#include <string>

#include "codec/json.h"

namespace jp::explore {

/// An array of at most 200 points, in the order in which tests ended: {"second": of runs so far, all jobs together,
/// "tests", "diverging", "findings": those that these tests met first, "buckets": different values of the compiler's
/// counters so far, "graph_breaks", "recompiles"}. Empty for a campaign without a log.
codec::Json series_json(const std::string& folder);

}  // namespace jp::explore
