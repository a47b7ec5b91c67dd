// An append-only file of rows, one JSON object a line, from which a campaign computes its feedback tables. A row is on
// the disk before its test counts as ended; a line that was cut off when the campaign was killed is ignored.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codec/json.h"
#include "core/result.h"

namespace jp::campaign {

/// Passes every whole row of the file to `take`, in order; none if there is no such file. Lines that are no JSON object
/// are skipped.
void read_rows(const std::string& path, const std::function<void(const codec::Json&)>& take);

/// Starts a new line after one that was cut off; to be called before the first row is added.
Status end_last_row(const std::string& path);

/// Appends rows and syncs the file; an Error leaves the rows before them as they are.
Status append_rows(const std::string& path, const std::vector<codec::Json>& rows);

}  // namespace jp::campaign
