#include "pyrunner/environment.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

// NOLINTNEXTLINE(readability-redundant-declaration): POSIX leaves it to the program to declare it
extern char** environ;

namespace jp::pyrunner {
namespace {

std::string text_of(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The lines of /proc/self/status that a child inherits.
std::string status() {
  constexpr auto kInherited = std::to_array<std::string_view>(
      {"Umask:", "Uid:", "Gid:", "Groups:", "Cap", "NoNewPrivs:", "Seccomp", "Cpus_allowed:", "Mems_allowed:"});
  std::ifstream file("/proc/self/status");
  std::string text;
  for (std::string line; std::getline(file, line);)
    for (const std::string_view beginning : kInherited)
      if (line.starts_with(beginning)) text += line + "\n";
  return text;
}

}  // namespace

std::vector<std::string> environment() {
  const std::string own = fmt::format("{}=", kWarmVariable);
  std::vector<std::string> found;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!std::string_view(*variable).starts_with(own)) found.emplace_back(*variable);
  return found;
}

std::string inherited() {
  std::string text = status() + text_of("/proc/self/limits") + text_of("/proc/self/cgroup");
  text += fmt::format("nice {}\n", getpriority(PRIO_PROCESS, 0));
  std::error_code ignored;
  for (const char* name : {"cgroup", "ipc", "mnt", "net", "pid", "user", "uts"})
    text += std::filesystem::read_symlink(fmt::format("/proc/self/ns/{}", name), ignored).string() + "\n";
  return text + std::filesystem::read_symlink("/proc/self/root", ignored).string();
}

}  // namespace jp::pyrunner
