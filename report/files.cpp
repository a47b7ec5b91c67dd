#include "report/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace jp::report {
namespace {

constexpr unsigned long kFuse = 0x65735546;

Error failed(const std::string& what, const std::string& path) {
  if (errno == ENOSPC || errno == EDQUOT)
    return Error{fmt::format("the disk that holds {} is full: make room and go on with --resume", path)};
  return Error{fmt::format("{} could not be {}: {}", path, what, std::strerror(errno))};
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// "fuse.sshfs": the type of the mount that holds the folder, from /proc/self/mountinfo (major:minor is its third
// field; the type follows " - ").
std::string mount_type(const std::string& folder) {
  struct stat status = {};
  if (stat(folder.c_str(), &status) != 0) return "";
  const std::string device = fmt::format("{}:{}", major(status.st_dev), minor(status.st_dev));
  std::ifstream table("/proc/self/mountinfo");
  for (std::string line; std::getline(table, line);) {
    std::istringstream fields(line);
    std::string id, parent, numbers, type;
    fields >> id >> parent >> numbers;
    const std::size_t dash = line.find(" - ");
    if (numbers != device || dash == std::string::npos) continue;
    std::istringstream(line.substr(dash + 3)) >> type;
    return type;
  }
  return "";
}

}  // namespace

std::string network_file_system(unsigned long magic, std::string_view type) {
  struct Row {
    unsigned long magic;
    const char* name;
  };
  // statfs(2) and linux/magic.h.
  constexpr std::array<Row, 12> kRows = {{{0x6969, "NFS"},
                                          {0xFF534D42, "CIFS"},
                                          {0xFE534D42, "SMB2"},
                                          {0x517B, "SMB"},
                                          {0x01021997, "9p"},
                                          {0x5346414F, "AFS"},
                                          {0x73757245, "Coda"},
                                          {0x00C36400, "Ceph"},
                                          {0x0BD00BD0, "Lustre"},
                                          {0x47504653, "GPFS"},
                                          {0x19830326, "BeeGFS"},
                                          {0x564C, "NCP"}}};
  for (const Row& row : kRows)
    if (row.magic == (magic & 0xFFFFFFFF)) return row.name;
  if ((magic & 0xFFFFFFFF) != kFuse) return "";
  // FUSE is both: file systems on a local device, and all others, of which most are remote.
  constexpr std::string_view kLocal[] = {"fuseblk",        "fuse.fuse-overlayfs", "fuse.overlayfs",
                                         "fuse.gocryptfs", "fuse.encfs",          "fuse.bindfs"};
  for (std::string_view local : kLocal)
    if (type == local) return "";
  return type.empty() ? "FUSE" : std::string(type);
}

Status copy_contents(const std::string& from, const std::string& to,
                     const std::function<bool(const std::string& name)>& left_out) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::directory_iterator entry(from, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (left_out(name)) continue;
    fs::copy(entry->path(), fs::path(to) / name, fs::copy_options::recursive | fs::copy_options::overwrite_existing,
             error);
    if (error) break;  // increment() would forget it
  }
  if (error) return Error{fmt::format("{} can't be copied to {}: {}", from, to, error.message())};
  return Done{};
}

Status require_local(const std::string& folder) {
  struct statfs status = {};
  if (statfs(folder.c_str(), &status) != 0) return failed("looked at", folder);
  const std::string name = network_file_system(static_cast<unsigned long>(status.f_type), mount_type(folder));
  if (name.empty()) return Done{};
  return Error{fmt::format(
      "{} lies on a network file system ({}), which can't keep a campaign safe: take a folder on a local disk", folder,
      name)};
}

std::string campaign_file(const std::string& folder, std::string_view name, std::string_view former) {
  const std::filesystem::path path = std::filesystem::path(folder) / name;
  const std::filesystem::path old = std::filesystem::path(folder) / former;
  std::error_code code;
  const bool kept = !std::filesystem::exists(path, code) && std::filesystem::exists(old, code);
  return (kept ? old : path).string();
}

std::string host_name() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return host.data();
}

std::string lock_file(const std::string& folder) { return folder + "/campaign.lock"; }

Result<std::unique_ptr<Lock>> Lock::take(const std::string& folder, Where where) {
  const std::string path = lock_file(folder);
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) return failed("written", path);
  std::unique_ptr<Lock> lock(new Lock(descriptor));
  const bool taken = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  const bool unknown = !taken && (errno == ENOSYS || errno == EOPNOTSUPP || errno == ENOLCK);
  if (taken || (unknown && where == Where::kAnywhere)) {
    const std::string owner = fmt::format("{} on {}\n", getpid(), host_name());
    if (ftruncate(descriptor, 0) != 0 || !write_all(descriptor, owner)) return failed("written", path);
    return lock;
  }
  if (errno != EWOULDBLOCK) return failed("locked", path);
  std::string owner;
  std::ifstream file(path);
  std::getline(file, owner);
  return Error{fmt::format("the campaign in {} is being written by another process ({}): wait for it, or stop it",
                           folder, owner.empty() ? "unknown" : owner)};
}

// A line is "1: FLOCK  ADVISORY  WRITE 4711 08:01:123456 0 EOF": the device in hexadecimal numbers, and the inode.
bool is_locked(const std::string& folder) {
  struct stat status = {};
  if (stat(lock_file(folder).c_str(), &status) != 0) return false;
  const std::string place =
      fmt::format(" {:02x}:{:02x}:{} ", major(status.st_dev), minor(status.st_dev), status.st_ino);
  std::ifstream table("/proc/locks");
  for (std::string line; std::getline(table, line);)
    if (line.find("FLOCK") != std::string::npos && line.find(" -> ") == std::string::npos &&
        line.find(place) != std::string::npos)
      return true;
  return false;
}

Lock::~Lock() { close(descriptor_); }

}  // namespace jp::report
