#include "pyrunner/sandbox.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "pyrunner/wire.h"

namespace jp::pyrunner {
namespace {

// Rights of later versions than the header of an older Debian knows (linux/landlock.h of the kernel has the numbers).
constexpr std::uint64_t kTruncate = 1ULL << 14;             // version 3
constexpr std::uint64_t kDeviceControl = 1ULL << 15;        // version 5
constexpr std::uint64_t kScopeAbstractSockets = 1ULL << 0;  // version 6
constexpr std::uint64_t kScopeSignals = 1ULL << 1;

constexpr std::uint64_t kReading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kOnFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                   LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate | kDeviceControl;
constexpr std::uint64_t kFirstVersion = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;

// linux/landlock.h of version 6; older headers end earlier.
struct Ruleset {
  std::uint64_t files;
  std::uint64_t ports;
  std::uint64_t scopes;
};

std::uint64_t rights_of(int version) {
  std::uint64_t rights = kFirstVersion;
  if (version >= 2) rights |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= Confinement::kWithTruncation) rights |= kTruncate;
  if (version >= 5) rights |= kDeviceControl;
  return rights;
}

Error refused(const std::string& what) { return Error{what + ": " + std::strerror(errno)}; }

Status allow(int ruleset, const std::string& path, std::uint64_t rights) {
  const Descriptor file(open(path.c_str(), O_PATH | O_CLOEXEC));
  if (file.get() < 0) return Done{};  // what can't be reached needs no permission
  struct stat there = {};
  if (fstat(file.get(), &there) != 0) return refused(path);
  if (!S_ISDIR(there.st_mode)) rights &= kOnFiles;
  const landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = file.get()};
  if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) return refused(path);
  return Done{};
}

Status confine_files(const Sandbox& sandbox, const Confinement& able) {
  const std::uint64_t all = rights_of(able.landlock);
  Ruleset asked = {.files = all, .ports = 0, .scopes = 0};
  if (able.signals()) asked.scopes = kScopeSignals | kScopeAbstractSockets;
  const std::size_t size = able.signals() ? sizeof asked : sizeof asked.files;
  const Descriptor ruleset(static_cast<int>(syscall(SYS_landlock_create_ruleset, &asked, size, 0)));
  if (ruleset.get() < 0) return refused("landlock_create_ruleset");
  for (const std::string& path : sandbox.readable)
    if (Status allowed = allow(ruleset.get(), path, kReading); !allowed.ok()) return allowed;
  for (const std::string& path : sandbox.writable)
    if (Status allowed = allow(ruleset.get(), path, all); !allowed.ok()) return allowed;
  if (syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) return refused("landlock_restrict_self");
  return Done{};
}

void refuse(std::vector<sock_filter>& filter, std::uint32_t call, std::uint32_t error) {
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error));
}

// A socket pair can be made, a socket that reaches anything else can't; io_uring would make one without the call.
std::vector<sock_filter> filter_for(const Confinement& able) {
#if defined(__x86_64__)
  constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "this processor's AUDIT_ARCH is not known here"
#endif
  constexpr std::uint32_t kOfOtherInterface = 0x40000000;  // x86's x32 has numbers of its own from here on
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kOfOtherInterface, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
  };
  refuse(filter, SYS_socket, EACCES);
  refuse(filter, SYS_io_uring_setup, ENOSYS);
  // Older versions of Landlock don't see that a file is emptied by its name.
  if (able.files() && !able.truncation()) refuse(filter, SYS_truncate, EACCES);
  // The limits of other processes, which prlimit(2) could set to nothing; 0 is the caller. Machines of torch are
  // little-endian: the first half of an argument is its lower one.
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 3));
  filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  return filter;
}

Status confine_calls(const Confinement& able) {
  std::vector<sock_filter> filter = filter_for(able);
  const sock_fprog program = {.len = static_cast<unsigned short>(filter.size()), .filter = filter.data()};
  // Without this flag older kernels also slow the process down, against attacks that are none of our concern.
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) != 0)
    return refused("seccomp");
  return Done{};
}

// Root without capabilities can raise no limit, mount nothing, and write only where its user may.
Status drop_capabilities() {
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const std::array<__user_cap_data_struct, 2> none = {};
  if (syscall(SYS_capset, &header, none.data()) != 0) return refused("capset");
  return Done{};
}

std::int64_t address_space() {
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

Status limit(__rlimit_resource resource, std::int64_t bytes, const char* name) {
  rlimit now{};
  getrlimit(resource, &now);
  now.rlim_max = std::min(now.rlim_max, static_cast<rlim_t>(bytes));
  now.rlim_cur = now.rlim_max;
  if (setrlimit(resource, &now) != 0) return refused(name);
  return Done{};
}

}  // namespace

Confinement confinement() {
  static const Confinement known = [] {
    const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    const std::uint32_t action = SECCOMP_RET_ERRNO;
    return Confinement{.landlock = version > 0 ? static_cast<int>(version) : 0,
                       .sockets = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0};
  }();
  return known;
}

std::string describe(const Confinement& confinement) {
  std::string in_force;
  std::string missing;
  const auto add = [&](bool there, const std::string& what, const std::string& needs) {
    std::string& list = there ? in_force : missing;
    if (!list.empty()) list += ", ";
    list += there ? what : what + ", which need " + needs;
  };
  add(confinement.files(), "files", "Landlock (Linux 5.13)");
  add(confinement.signals(), "signals", "Landlock of Linux 6.12");
  add(confinement.sockets, "sockets", "seccomp filters");
  if (in_force.empty()) in_force = "nothing";
  return missing.empty() ? in_force : in_force + "; not: " + missing;
}

std::vector<std::string> gpu_devices(const std::string& folder) {
  std::vector<std::string> devices;
  std::error_code error;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with("nvidia")) devices.push_back(entry.path().string());
  std::sort(devices.begin(), devices.end());
  return devices;
}

Sandbox system_sandbox() {
  Sandbox sandbox;
  // Of /etc only what the loader, the C library, Python and the C++ compiler's alternatives need: it holds secrets too.
  sandbox.readable = {"/usr",
                      "/lib",
                      "/lib32",
                      "/lib64",
                      "/bin",
                      "/sbin",
                      "/proc",
                      "/sys",
                      "/run/systemd/resolve",
                      "/etc/alternatives",
                      "/etc/ld.so.cache",
                      "/etc/ld.so.conf",
                      "/etc/ld.so.conf.d",
                      "/etc/group",
                      "/etc/hosts",
                      "/etc/localtime",
                      "/etc/mime.types",
                      "/etc/nsswitch.conf",
                      "/etc/os-release",
                      "/etc/passwd",
                      "/etc/timezone"};
  sandbox.writable = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/shm"};
  for (std::string& device : gpu_devices("/dev")) sandbox.writable.push_back(std::move(device));
  return sandbox;
}

void offer_to_oom_killer() { std::ofstream("/proc/self/oom_score_adj") << "1000"; }

Status confine(const Sandbox& sandbox) {
  const Confinement able = confinement();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return refused("PR_SET_NO_NEW_PRIVS");
  if (sandbox.file_bytes > 0)
    if (Status limited = limit(RLIMIT_FSIZE, sandbox.file_bytes, "RLIMIT_FSIZE"); !limited.ok()) return limited;
  if (sandbox.address_bytes > 0)
    if (Status limited = limit(RLIMIT_AS, address_space() + sandbox.address_bytes, "RLIMIT_AS"); !limited.ok())
      return limited;
  if (able.files())
    if (Status confined = confine_files(sandbox, able); !confined.ok()) return confined;
  if (able.sockets)
    if (Status confined = confine_calls(able); !confined.ok()) return confined;
  return drop_capabilities();
}

}  // namespace jp::pyrunner
