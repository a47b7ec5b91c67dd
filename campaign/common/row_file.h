// A file of rows, one JSON object a line, that only grows: what a campaign learns from. A row is on the disk before its
// test counts as ended; a line that was cut off when the campaign was killed is left out.
#pragma once

#include <functional>
#include <string>

#include "codec/codec.h"
#include "core/result.h"

namespace jp::campaign {

/// Gives every whole row of the file to `take`, in order; none when there is no such file. What is no JSON object is
/// passed over.
void read_rows(const std::string& path, const std::function<void(const codec::Json&)>& take);

/// Begins a new line behind one that was cut off; before the first row is added.
Status end_last_row(const std::string& path);

/// One row more, synced; an Error leaves the rows before it as they are.
Status append_row(const std::string& path, const codec::Json& row);

}  // namespace jp::campaign
