#include "pyrunner/temporary.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "pyrunner/left_files.h"

namespace jp::pyrunner {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "tmp-";

Error failed(const std::string& path, const char* what) {
  return Error{fmt::format("the folder {} can't be {}: {}", path, what, std::strerror(errno))};
}

Descriptor open_folder(const std::string& path) {
  return Descriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// Waits for other processes that create or clear folders there.
bool take(const Descriptor& folder, int how) {
  while (flock(folder.get(), how) != 0)
    if (errno != EINTR) return false;
  return true;
}

// Called under the base's lock: removes folders whose owner holds no lock on them any more. A folder whose owner died a
// moment ago contains nobody's children: its guard ends them before it ends itself, and clears the folder too.
void clear_stale(const std::string& base) {
  std::error_code error;
  for (fs::directory_iterator entry(base, error), end; !error && entry != end; entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(kPrefix)) continue;
    const Descriptor folder = open_folder(entry->path().string());
    if (folder.get() >= 0 && take(folder, LOCK_EX | LOCK_NB)) remove_left(entry->path().string());
  }
}

}  // namespace

Result<std::string> users_folder() {
  std::error_code error;
  const fs::path above = fs::temp_directory_path(error);
  if (error) return Error{fmt::format("there is no temporary folder (TMPDIR): {}", error.message())};
  const std::string path = (above / fmt::format("jitprobe-{}", geteuid())).string();
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return failed(path, "made");
  struct stat there = {};
  if (lstat(path.c_str(), &there) != 0) return failed(path, "looked at");
  if (!S_ISDIR(there.st_mode) || there.st_uid != geteuid())
    return Error{fmt::format("{} {}: remove it, or set TMPDIR to a folder of your own", path,
                             S_ISDIR(there.st_mode) ? "belongs to somebody else" : "is no folder")};
  if ((there.st_mode & 077) != 0 && chmod(path.c_str(), 0700) != 0) return failed(path, "closed to others");
  return path;
}

Result<TemporaryFolder> TemporaryFolder::make(const std::string& kind) {
  Result<std::string> base = users_folder();
  if (!base.ok()) return base.error();
  return make_in(base.value(), kind);
}

Result<TemporaryFolder> TemporaryFolder::make_in(const std::string& base, const std::string& kind) {
  std::error_code error;
  fs::create_directories(base, error);
  if (error) return Error{fmt::format("the folder {} can't be made: {}", base, error.message())};
  // Between mkdtemp and the lock on the new folder nobody may take it for a stale one.
  const Descriptor all(open(base.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (all.get() < 0 || !take(all, LOCK_EX)) return failed(base, "locked");
  clear_stale(base);
  std::string path = (fs::absolute(base, error) / fmt::format("{}{}-XXXXXX", kPrefix, kind)).string();
  if (!mkdtemp(path.data())) return failed(path, "made");
  Descriptor held = open_folder(path);
  if (held.get() < 0 || !take(held, LOCK_EX)) return failed(path, "locked");
  return TemporaryFolder(std::move(path), std::move(held));
}

TemporaryFolder::~TemporaryFolder() { remove(); }

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  if (this == &other) return *this;
  remove();
  path_ = std::move(other.path_);
  held_ = std::move(other.held_);
  return *this;
}

void TemporaryFolder::remove() {
  if (held_.get() >= 0) remove_left(path_);
  held_.reset();
}

}  // namespace jp::pyrunner
