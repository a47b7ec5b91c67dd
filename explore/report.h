// The data of a report in one file: a campaign, or one of its findings.
#pragma once

#include <string>

#include "codec/json.h"
#include "core/result.h"

namespace jp::explore {

/// A report is smaller than this with its page, in bytes: it is sent by mail.
inline constexpr std::size_t kMostReport = 2'000'000;

/// {"version", "campaign": as /api/campaign or null, "findings": as /api/finding without outcomes, "left_out": how many
/// findings have no place in `most` bytes}. The campaign's tables have at most half of the bytes: its "cut" tells how
/// many rows of which table are left out, {"findings": 900, "pair": 12}. Where there is room, a finding has all steps
/// of its reduction, and "exports": by form what /api/export gives, though nothing was run; the forms that have no
/// place are its "left_out". `id`: the one finding that it is of, or "" for the whole campaign. An Error if what it is
/// of can't be read, or if the one finding is larger than `most`.
Result<codec::Json> report_data(const std::string& folder, const std::string& id, std::size_t most);

/// An answer of /api/campaign without the last rows of its longest tables, so that it has at most so many bytes:
/// thousands of findings, or of pairs of mutations, have more. "cut" tells how many rows each table lost: of findings
/// those that stand last, of the others those with the fewest findings and tests.
void cut_tables(codec::Json& overview, std::size_t most);

}  // namespace jp::explore
