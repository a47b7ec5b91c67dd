// What a process has from the one that started it, and passes on.
#pragma once

#include <string>
#include <vector>

namespace jp::pyrunner {

/// The environment variable with the socket of a warm server (warm_server.h).
inline constexpr const char* kWarmVariable = "JITPROBE_WARM";

/// This process's variables, "NAME=value", in their order; without kWarmVariable, which is nothing for a worker.
std::vector<std::string> environment();

/// What else a worker would have of this process: priority, processors, limits, the mask of new files, groups,
/// namespaces, control group, capabilities. Two processes with the same text start workers alike.
std::string inherited();

}  // namespace jp::pyrunner
