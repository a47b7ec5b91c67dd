#include "pyrunner/left_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/files.h"
#include "pyrunner/wire.h"

namespace jp::pyrunner {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostFiles = 100'000;

struct PlainFile {
  Descriptor file;
  std::size_t size = 0;
};

// No file if the last part of the path is a link, or names anything but a plain file. Opening a pipe doesn't wait for
// its other end.
PlainFile open_plain(const std::string& path, int how) {
  PlainFile plain{Descriptor(open(path.c_str(), how | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)), 0};
  struct stat there = {};
  if (!plain.file || fstat(plain.file.get(), &there) != 0 || !S_ISREG(there.st_mode)) return {};
  plain.size = static_cast<std::size_t>(there.st_size);
  return plain;
}

void open_folders(const fs::path& top) {
  std::vector<fs::path> waiting{top};
  while (!waiting.empty()) {
    const fs::path folder = std::move(waiting.back());
    waiting.pop_back();
    if (fchmodat(AT_FDCWD, folder.c_str(), S_IRWXU, AT_SYMLINK_NOFOLLOW) != 0) continue;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      std::error_code gone;
      if (entry->symlink_status(gone).type() == fs::file_type::directory) waiting.push_back(entry->path());
    }
  }
}

bool has_closed_folder(const std::string& top) {
  std::error_code error;
  for (fs::recursive_directory_iterator at(top, error), end; !error && at != end;) at.increment(error);
  return error == std::errc::permission_denied;
}

}  // namespace

std::size_t left_size(const std::string& path) { return open_plain(path, O_RDONLY).size; }

std::string left_text(const std::string& path, std::size_t begin, std::size_t most) {
  const PlainFile plain = open_plain(path, O_RDONLY);
  if (plain.size <= begin) return "";
  std::string text(std::min(plain.size - begin, most), '\0');
  std::size_t got = 0;
  while (got < text.size()) {
    const ssize_t part = pread(plain.file.get(), text.data() + got, text.size() - got, static_cast<off_t>(begin + got));
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) break;
    got += static_cast<std::size_t>(part);
  }
  text.resize(got);
  return text;
}

void bound_left(const std::string& path, std::size_t most) {
  if (left_size(path) <= most) return;
  const PlainFile plain = open_plain(path, O_WRONLY);
  while (plain.file && ftruncate(plain.file.get(), 0) != 0 && errno == EINTR) {
  }
}

bool fills(const std::string& folder, std::int64_t bytes) {
  const auto most = static_cast<std::uintmax_t>(bytes);
  const FolderSize size = size_of_folder(folder, most, kMostFiles);
  if (size.bytes > most || size.entries > kMostFiles) return true;
  // A look also ends early where a folder is removed meanwhile, as compilers remove theirs: the next one tells more.
  return !size.whole && has_closed_folder(folder);
}

void remove_left(const std::string& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error) return;
  open_folders(folder);
  fs::remove_all(folder, error);
}

}  // namespace jp::pyrunner
