// In which order a campaign's findings are listed.
#pragma once

#include <string>
#include <vector>

#include "report/store.h"

namespace jp::app {

/// Indices of rows in the order to look at: confirmed ones, then flaky ones, then candidates, each furthest first
/// (report/rank.h) by signature, mutations and operators.
std::vector<std::size_t> ranking(const std::string& folder, const std::vector<report::FindingRow>& rows);

}  // namespace jp::app
