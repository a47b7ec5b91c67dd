// A driver's part of warm_server.h.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "pyrunner/options.h"
#include "pyrunner/wire.h"

namespace jp::pyrunner {

/// Whether this command runs below a warm server, as far as the environment says.
bool has_warm_server();

/// A guard that a warm server made, and a zygote below it.
struct WarmGuard {
  pid_t number = 0;
  Descriptor handle;                // a pidfd: the guard is no child of this process
  std::int64_t resident_bytes = 0;  // of the zygote, when it has touched what it shares with others
  Descriptor connection;            // open while they are used
};

/// `configuration`: the first message to a zygote, a MessagePack map; `descriptors`: the guard's end of the pipe of
/// life, the zygote's of its control socket, and the log. Nothing without a server, or if it refuses: then a worker is
/// started as always.
std::optional<WarmGuard> guard_of_warm_server(const RunnerOptions& options, const std::string& folder,
                                              const std::string& configuration, std::span<const int> descriptors);

}  // namespace jp::pyrunner
