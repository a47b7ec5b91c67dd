// Where the program lies that is running.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace jp {

/// The program as it runs, for reading: it stays the same if another one is put under its path.
inline constexpr const char* kOwnImage = "/proc/self/exe";

/// The path that this program was started from; "" if the system doesn't say. If it was built again since, the new one
/// is there.
inline std::string own_program() {
  std::error_code error;
  std::string path = std::filesystem::read_symlink(kOwnImage, error).string();
  constexpr std::string_view kDeleted = " (deleted)";
  if (path.ends_with(kDeleted)) path.resize(path.size() - kDeleted.size());
  return path;
}

}  // namespace jp
