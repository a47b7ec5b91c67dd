// The one way to read and write files: whole or not at all, interrupted calls repeated, every error reported. Also
// how much a folder takes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace jp {

/// All bytes of a file. An Error when it can't be read, or is a folder.
Result<std::string> read_file(const std::string& path);

/// Makes the folder with its parents; an existing one is fine.
Status make_folder(const std::string& path);

/// Writes a file so that it is either the old or the new one, whenever the machine stops: to a file beside it, synced,
/// renamed, and the folder synced. Links are followed, the mode of an existing file is kept, and what is no regular
/// file (a device, a pipe) is written directly.
Status write_file(const std::string& path, std::string_view text);

struct FileText {
  std::string path;
  std::string text;
};
/// The same for files of one folder, which is synced once. They get their names one after the other.
Status write_files(const std::vector<FileText>& files);

/// Writes in place and without syncing: for files of a temporary folder, which nobody reads after a crash. Overwriting
/// one costs a tenth of creating it.
Status write_scratch(const std::string& path, std::string_view text);

/// Appends to a file, which is created if missing; on disk when it returns.
Status append_file(const std::string& path, std::string_view text);

/// What the regular files below a folder take, so far as it was counted. What a link leads to is not the folder's.
struct FolderSize {
  std::uintmax_t bytes = 0;
  std::uintmax_t entries = 0;
  /// The walk came to its end, and neither bound was exceeded. A file that goes meanwhile counts nothing.
  bool whole = true;
};
/// Stops counting above so many bytes or entries.
FolderSize size_of_folder(const std::string& path, std::uintmax_t most_bytes = UINTMAX_MAX,
                          std::uintmax_t most_entries = UINTMAX_MAX);

}  // namespace jp
