// In which order a campaign's findings are listed.
#pragma once

#include <string>
#include <vector>

#include "core/program.h"
#include "core/verdict.h"
#include "report/rank.h"
#include "report/store.h"

namespace jp::campaign {

/// What a finding is ranked by: its signature, what its program (none: nullptr) calls and is written with, and the
/// mutations that it needs.
report::Traits traits_of(const Signature& signature, const Program* program, const std::vector<std::string>& mutations);

/// Indices of rows in the order to look at: confirmed ones, then flaky ones, then candidates, each furthest first
/// (report/rank.h) by signature, mutations and operators.
std::vector<std::size_t> ranking(const std::string& folder, const std::vector<report::FindingRow>& rows);

}  // namespace jp::campaign
