#include "core/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

namespace jp {
namespace {

namespace fs = std::filesystem;

Error failed(const std::string& path, int number, std::string_view what = "written") {
  if (number == ENOSPC || number == EDQUOT)
    return Error{fmt::format("the disk that holds {} is full: make room and go on", path)};
  return Error{fmt::format("{} could not be {}: {}", path, what, std::strerror(number))};
}

// A file that is being written. The first error is remembered; closing is part of writing.
class Output {
 public:
  Output(const std::string& path, int flags, mode_t mode = 0666)
      : file_(repeated([&] { return open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, mode); })) {}
  ~Output() { finish(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  int error() const { return number_; }
  void put(std::string_view text) {
    while (number_ == 0 && !text.empty())
      if (const ssize_t written = repeated([&] { return write(file_, text.data(), text.size()); }); written >= 0)
        text.remove_prefix(static_cast<std::size_t>(written));
  }
  void take_size(std::size_t size) {
    if (number_ == 0) repeated([&] { return ftruncate(file_, static_cast<off_t>(size)); });
  }
  void take_mode(mode_t mode) {
    if (number_ == 0) repeated([&] { return fchmod(file_, mode); });
  }
  void sync() {
    if (number_ == 0) repeated([&] { return fsync(file_); });
  }
  /// Closes it; returns 0 or the errno of the first error.
  int finish() {
    // The descriptor is gone even if close was interrupted.
    if (file_ >= 0 && close(std::exchange(file_, -1)) != 0 && number_ == 0 && errno != EINTR) number_ = errno;
    return number_;
  }

 private:
  template <typename Call>
  auto repeated(Call&& call) -> decltype(call()) {
    for (;;) {
      const auto result = call();
      if (result >= 0) return result;
      if (errno == EINTR) continue;
      number_ = errno;
      return result;
    }
  }

  int number_ = 0;
  int file_;
};

int sync_folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  const int file = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return errno;
  const int number = fsync(file) == 0 || errno == EINVAL ? 0 : errno;
  close(file);
  return number;
}

Status status_of(const std::string& path, int number) {
  return number == 0 ? Status{Done{}} : Status{failed(path, number)};
}

Status write_in_place(const std::string& path, std::string_view text) {
  Output file(path, O_CREAT | O_TRUNC);
  file.put(text);
  return status_of(path, file.finish());
}

// What a path resolves to, even if nothing exists there yet.
std::string target_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target.string();
}

// All of write_file but for syncing the folder.
Status put_file(const std::string& path, std::string_view text) {
  struct stat there = {};
  const bool exists = stat(path.c_str(), &there) == 0;
  if (exists && S_ISDIR(there.st_mode)) return failed(path, EISDIR);
  if (exists && !S_ISREG(there.st_mode)) return write_in_place(path, text);
  std::string beside = path + ".new";
  std::optional<Output> file(std::in_place, beside, O_CREAT | O_EXCL);
  if (file->error() == EEXIST) {  // another process writes the same file, or was killed while it did
    static std::atomic<int> count = 0;
    beside = fmt::format("{}.{}-{}.new", path, getpid(), ++count);
    file.emplace(beside, O_CREAT | O_TRUNC);
  }
  if (exists) file->take_mode(there.st_mode & 07777);
  file->put(text);
  file->sync();
  int number = file->finish();
  if (number == 0 && rename(beside.c_str(), path.c_str()) != 0) number = errno;
  if (number == 0) return Done{};
  unlink(beside.c_str());
  return failed(path, number);
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return Error{fmt::format("{} is a folder, not a file", path)};
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return failed(path, errno, "read");
  std::string text;
  std::array<char, 1 << 16> part;
  int number = 0;
  while (true) {
    const ssize_t size = read(file, part.data(), part.size());
    if (size > 0) text.append(part.data(), static_cast<std::size_t>(size));
    if (size == 0) break;
    if (size < 0 && errno != EINTR) {
      number = errno;
      break;
    }
  }
  close(file);
  if (number != 0) return failed(path, number, "read");
  return text;
}

Status make_folder(const std::string& path) {
  std::error_code error;
  std::vector<fs::path> fresh;
  for (fs::path at = fs::path(path); !at.empty() && !fs::exists(at, error); at = at.parent_path()) fresh.push_back(at);
  fs::create_directories(path, error);
  if (error) return failed(path, error.value(), "made");
  for (const fs::path& one : fresh)
    if (const int number = sync_folder_of(one.string()); number != 0) return failed(path, number, "made");
  return Done{};
}

Status write_file(const std::string& asked, std::string_view text) {
  const std::string path = target_of(asked);
  if (Status put = put_file(path, text); !put.ok()) return put;
  return status_of(path, sync_folder_of(path));
}

Status write_files(const std::vector<FileText>& files) {
  for (const FileText& file : files)
    if (Status put = put_file(target_of(file.path), file.text); !put.ok()) return put;
  return files.empty() ? Status(Done{}) : status_of(files.front().path, sync_folder_of(target_of(files.front().path)));
}

Status write_scratch(const std::string& path, std::string_view text) {
  Output file(path, O_CREAT);
  file.take_size(text.size());
  file.put(text);
  return status_of(path, file.finish());
}

Status append_file(const std::string& path, std::string_view text) {
  const bool fresh = access(path.c_str(), F_OK) != 0;
  Output file(path, O_CREAT | O_APPEND);
  file.put(text);
  file.sync();
  const int number = file.finish();
  return status_of(path, number == 0 && fresh ? sync_folder_of(path) : number);
}

FolderSize size_of_folder(const std::string& path, std::uintmax_t most_bytes, std::uintmax_t most_entries) {
  FolderSize size;
  std::error_code error;
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end && size.whole; at.increment(error)) {
    std::error_code gone;
    const bool file = at->is_regular_file(gone) && !at->is_symlink(gone);
    if (const std::uintmax_t bytes = file ? at->file_size(gone) : 0; file && !gone) size.bytes += bytes;
    ++size.entries;
    size.whole = size.bytes <= most_bytes && size.entries <= most_entries;
  }
  size.whole = size.whole && !error;
  return size;
}

}  // namespace jp
