// Runs a command that shares this process's standard streams.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"

namespace jp::pyrunner {

/// The exit status of a command (its program by path or, as a shell finds it, by name; then its arguments), 128 + N if
/// signal N ended it; an Error if it can't be started. It is killed when this process dies. Ctrl-C reaches both
/// processes, and the command's end is waited for.
Result<int> run_attached(const std::vector<std::string>& command);

}  // namespace jp::pyrunner
