// The one way to write files: whole or not at all, interrupted calls repeated, every error told.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace jp {

/// Writes a file so that it is either the old or the new one, whenever the machine stops: to a file beside it, synced,
/// renamed, and the folder synced. A link is followed, the mode of a file that was there stays, and what is no regular
/// file (a device, a pipe) is written as it is.
Status write_file(const std::string& path, std::string_view text);

/// In place and without syncing: a file of a temporary folder, which nobody reads after a crash. Writing one again
/// costs a tenth of making it anew.
Status write_scratch(const std::string& path, std::string_view text);

/// Adds to the end of a file, which is made when it is missing; on disk when it returns.
Status append_file(const std::string& path, std::string_view text);

}  // namespace jp
