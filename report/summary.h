// A finding as plain text for the terminal: what, where, both sides, numbers, lineage, counters, plan.
#pragma once

#include <string>

#include "core/verdict.h"

namespace jp::report {

/// Several lines, each ended; no colours. At most ten differences of each strength are shown.
std::string finding_summary(const Finding& finding);

}  // namespace jp::report
