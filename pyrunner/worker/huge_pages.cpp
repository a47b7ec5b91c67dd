#include "pyrunner/worker/huge_pages.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

namespace jp::pyrunner {
namespace {

constexpr std::uintptr_t kHuge = 2 << 20;
constexpr int kCollapse = 25;  // MADV_COLLAPSE, which Debian 12's headers don't have

struct Mapping {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

// A line of /proc/self/maps; empty unless it is private writable memory without a file.
Mapping mapping_of(const std::string& line) {
  std::istringstream words(line);
  Mapping mapping;
  char dash = 0;
  std::string rights, offset, device, inode, name;
  words >> std::hex >> mapping.begin >> dash >> mapping.end >> rights >> offset >> device >> inode >> name;
  const bool anonymous = name.empty() || name == "[heap]";
  return rights.starts_with("rw-p") && anonymous ? mapping : Mapping{};
}

}  // namespace

void use_huge_pages() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const Mapping mapping = mapping_of(line);
    // One after the other: what can't be gathered, such as what was never written, ends a call. No memory, of the
    // machine or of the control group, ends it all.
    for (std::uintptr_t at = (mapping.begin + kHuge - 1) / kHuge * kHuge; at + kHuge <= mapping.end; at += kHuge)
      if (madvise(reinterpret_cast<void*>(at), kHuge, kCollapse) != 0 && (errno == ENOMEM || errno == EBUSY)) return;
  }
}

}  // namespace jp::pyrunner
