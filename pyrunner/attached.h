// Runs a command that has this process's own standard streams.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"

namespace jp::pyrunner {

/// The exit status of a command (its program by path, then its words), 128 + N when signal N ended it; an Error when it
/// can't be started. It is killed when this process dies. Ctrl-C reaches both of us, and its end is waited for.
Result<int> run_attached(const std::vector<std::string>& command);

}  // namespace jp::pyrunner
