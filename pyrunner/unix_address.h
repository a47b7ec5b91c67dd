// The address of a Unix socket in the file system.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <optional>
#include <string>

namespace jp::pyrunner {

/// Nothing if the path is too long for one: 107 bytes on Linux.
inline std::optional<sockaddr_un> unix_address(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof name.sun_path) return std::nullopt;
  path.copy(name.sun_path, path.size());
  return name;
}

}  // namespace jp::pyrunner
