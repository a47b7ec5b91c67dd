// In which order a campaign's findings are listed.
#pragma once

#include <string>
#include <vector>

#include "campaign/evidence/verified_export.h"
#include "core/program.h"
#include "core/result.h"
#include "core/verdict.h"
#include "report/rank.h"
#include "report/store.h"

namespace jp::campaign {

/// What a finding is ranked by: its signature, the calls and syntax of its program (nullptr: none), and the mutations
/// that it needs.
report::Traits traits_of(const Signature& signature, const Program* program, const std::vector<std::string>& mutations);

/// The same of a finding in that folder; of one that can't be read, what its row says.
report::Traits traits_of(const std::string& folder, const report::FindingRow& row, const Result<LoadedFinding>& kept);

/// Indices of rows, which have these traits, in the order of listing: confirmed ones, then flaky ones, then candidates,
/// each furthest first (report/rank.h).
std::vector<std::size_t> ranking(const std::vector<report::FindingRow>& rows,
                                 const std::vector<report::Traits>& traits);

}  // namespace jp::campaign
