// A library for LD_PRELOAD that lets one call fail which changes a file below a folder: what a full or broken disk
// does. tests/soak_disk.py uses it.
//
//   JITPROBE_FAIL_BELOW  the folder
//   JITPROBE_FAIL_LOG    a file, to which each such call adds a line; it must not be below the folder
//   JITPROBE_FAIL_AT     the number of the call that fails, from 1 on; 0: none
//   JITPROBE_FAIL_ON     if set, all later ones fail as well
//
// Only the process itself is meant, not what it starts: the variable LD_PRELOAD is removed when the library is loaded.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

const char* below = nullptr;
const char* log_file = nullptr;
long fails_at = 0;
bool fails_on = false;
std::atomic<long> calls = 0;

__attribute__((constructor)) void begin() {
  below = std::getenv("JITPROBE_FAIL_BELOW");
  log_file = std::getenv("JITPROBE_FAIL_LOG");
  const char* at = std::getenv("JITPROBE_FAIL_AT");
  fails_at = at ? std::strtol(at, nullptr, 10) : 0;
  fails_on = std::getenv("JITPROBE_FAIL_ON") != nullptr;
  unsetenv("LD_PRELOAD");
}

void note(long number, const char* call, const char* path) {
  if (!log_file) return;
  char line[PATH_MAX + 64];
  const int size = std::snprintf(line, sizeof line, "%ld %s %s\n", number, call, path + std::strlen(below));
  const auto file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, log_file, O_WRONLY | O_CREAT | O_APPEND, 0600));
  if (file < 0) return;
  syscall(SYS_write, file, line, size);
  syscall(SYS_close, file);
}

// Whether this call fails: it is counted if the path is below the folder.
bool fails(const char* call, const char* path) {
  if (!below || !path || std::strncmp(path, below, std::strlen(below)) != 0) return false;
  const int kept = errno;
  const long number = ++calls;
  note(number, call, path);
  errno = kept;
  const bool failing = fails_at > 0 && (number == fails_at || (fails_on && number > fails_at));
  if (failing) errno = ENOSPC;
  return failing;
}

bool fails(const char* call, int descriptor) {
  if (!below) return false;
  char link[64];
  char path[PATH_MAX];
  const int kept = errno;
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  errno = kept;
  if (size < 0) return false;
  path[size] = 0;
  return fails(call, path);
}

template <typename Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int open_file(const char* name, const char* path, int flags, mode_t mode) {
  if ((flags & O_CREAT) != 0 && fails("open", path)) return -1;
  static const auto open_it = real<int (*)(const char*, int, ...)>(name);
  return open_it(path, flags, mode);
}

mode_t mode_in(int flags, va_list words) { return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(words, mode_t) : 0; }

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list words;
  va_start(words, flags);
  const mode_t mode = mode_in(flags, words);
  va_end(words);
  return open_file("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list words;
  va_start(words, flags);
  const mode_t mode = mode_in(flags, words);
  va_end(words);
  return open_file("open64", path, flags, mode);
}

ssize_t write(int file, const void* bytes, size_t size) {
  static const auto write_it = real<ssize_t (*)(int, const void*, size_t)>("write");
  return fails("write", file) ? -1 : write_it(file, bytes, size);
}

ssize_t writev(int file, const iovec* parts, int count) {
  static const auto write_it = real<ssize_t (*)(int, const iovec*, int)>("writev");
  return fails("writev", file) ? -1 : write_it(file, parts, count);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  static const auto write_it = real<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  return fails("pwrite", file) ? -1 : write_it(file, bytes, size, at);
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  static const auto write_it = real<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64");
  return fails("pwrite", file) ? -1 : write_it(file, bytes, size, at);
}

int ftruncate(int file, off_t size) {
  static const auto truncate_it = real<int (*)(int, off_t)>("ftruncate");
  return fails("ftruncate", file) ? -1 : truncate_it(file, size);
}

int ftruncate64(int file, off64_t size) {
  static const auto truncate_it = real<int (*)(int, off64_t)>("ftruncate64");
  return fails("ftruncate", file) ? -1 : truncate_it(file, size);
}

int fsync(int file) {
  static const auto sync_it = real<int (*)(int)>("fsync");
  return fails("fsync", file) ? -1 : sync_it(file);
}

int fdatasync(int file) {
  static const auto sync_it = real<int (*)(int)>("fdatasync");
  return fails("fdatasync", file) ? -1 : sync_it(file);
}

int rename(const char* from, const char* to) {
  static const auto rename_it = real<int (*)(const char*, const char*)>("rename");
  return fails("rename", to) ? -1 : rename_it(from, to);
}

int link(const char* from, const char* to) {
  static const auto link_it = real<int (*)(const char*, const char*)>("link");
  return fails("link", to) ? -1 : link_it(from, to);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  static const auto rename_it = real<int (*)(int, const char*, int, const char*)>("renameat");
  return fails("renameat", to) ? -1 : rename_it(from_folder, from, to_folder, to);
}

int unlink(const char* path) {
  static const auto unlink_it = real<int (*)(const char*)>("unlink");
  return fails("unlink", path) ? -1 : unlink_it(path);
}

int remove(const char* path) {
  static const auto remove_it = real<int (*)(const char*)>("remove");
  return fails("remove", path) ? -1 : remove_it(path);
}

int mkdir(const char* path, mode_t mode) {
  static const auto make_it = real<int (*)(const char*, mode_t)>("mkdir");
  return fails("mkdir", path) ? -1 : make_it(path, mode);
}

}  // extern "C"
