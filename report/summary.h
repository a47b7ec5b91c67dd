// A finding as text for the terminal: what, where, both sides, numbers, lineage, counters, plan, and the evidence
// measured for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/verdict.h"
#include "report/evidence.h"

namespace jp::report {

/// Several lines, each with a line break. At most ten differences of each strength are shown. `colour`: for a terminal.
std::string finding_summary(const Finding& finding, const std::optional<Evidence>& evidence = std::nullopt,
                            const Label& label = {}, bool colour = false);

/// "2 of 3 frames compiled, 1 graph, 4 graph breaks". `breaks`: how many, or of how many kinds.
std::string compiled_text(const Counters& counters, std::uint64_t breaks);

}  // namespace jp::report
