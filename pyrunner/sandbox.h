// What a program under test may touch. The kernel enforces it, for the process and for whatever it starts, and nothing
// can lift it again: Landlock for files and signals, a seccomp filter for sockets, no capabilities, limits. No root is
// needed. docs/security.md says what is protected from what.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace jp::pyrunner {

/// What the kernel can enforce.
struct Confinement {
  int landlock = 0;      // version of Landlock's interface; 0: the kernel has none, or it is switched off
  bool sockets = false;  // a seccomp filter can refuse new sockets

  /// Files outside the permitted folders can't be opened or changed (Linux 5.13).
  bool files() const { return landlock >= 1; }
  /// Landlock sees that a file is emptied by its name (Linux 6.2).
  bool truncation() const { return landlock >= kWithTruncation; }
  static constexpr int kWithTruncation = 3;
  /// Processes outside can't be signalled (Linux 6.12).
  bool signals() const { return landlock >= 6; }
};

/// What this kernel can enforce; asked once in a process.
Confinement confinement();

/// "files, signals, sockets", or "nothing"; what is missing follows, with what it needs.
std::string describe(const Confinement& confinement);

struct Sandbox {
  /// Folders and files that may be read and executed, with everything below them. Paths that don't exist are left out.
  std::vector<std::string> readable;
  /// Folders in which files may be made, changed and removed too.
  std::vector<std::string> writable;
  /// Largest file in bytes (RLIMIT_FSIZE; a longer one ends in EFBIG); 0: as before.
  std::int64_t file_bytes = 0;
  /// Address space in bytes on top of what the process has (RLIMIT_AS); 0: as before.
  std::int64_t address_bytes = 0;
};

/// Libraries, compilers, devices and what the kernel says of itself: readable for every program. Devices that only take
/// or give bytes, and those of NVIDIA's driver that are there now, are writable.
Sandbox system_sandbox();

/// The device files and folders of NVIDIA's driver in `folder`, sorted: one for each GPU ("nvidia0"), those of the
/// driver itself ("nvidiactl", "nvidia-uvm") and "nvidia-caps", which has those of parts of a GPU.
std::vector<std::string> gpu_devices(const std::string& folder);

/// If memory runs out, the kernel ends this process and its descendants first.
void offer_to_oom_killer();

/// Confines the calling process, which must have one thread. Everything that `confinement()` names is in force
/// afterwards; an Error if the kernel refuses any of it.
Status confine(const Sandbox& sandbox);

}  // namespace jp::pyrunner
