// Where the worker, the guard and the Python runtime are.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "pyrunner/options.h"

namespace jp::pyrunner {

/// "off" in it: programs under test are not confined.
inline constexpr const char* kSandboxVariable = "JITPROBE_SANDBOX";
/// "default": Inductor's kernels are compiled by g++ as it is.
inline constexpr const char* kCompilerVariable = "JITPROBE_COMPILER";

/// Folders that confined programs may read besides, separated by ":".
inline constexpr const char* kReadableVariable = "JITPROBE_READABLE";

/// The folders that an environment variable names, separated by ":"; none if it is not set.
std::vector<std::string> folders_in(const char* variable);

/// Options with all paths filled in. Each is looked for in the environment (JITPROBE_WORKER, JITPROBE_GUARD,
/// JITPROBE_PYTHON, JITPROBE_ROOT for the project's folder, JITPROBE_CACHE), then beside the executable and in its
/// parent folders. Programs are confined unless kSandboxVariable says "off". An Error names what is missing.
Result<RunnerOptions> default_options();

/// Why a worker with these options lets g++ compile Inductor's kernels as it is, and what to do about it; "" if it
/// makes kernels faster (compiler/main.cpp).
std::string why_plain_compiler(const RunnerOptions& options);

/// Names of the files in pyrunner/backends, without ".py", ascending; empty if that folder is not found.
std::vector<std::string> backend_files();

/// What such a file says of its backend: its docstring, in one line; empty if there is none.
std::string backend_says(const std::string& name);

/// $XDG_CACHE_HOME/jitprobe, else ~/.cache/jitprobe, else a folder of the user's under the temporary one.
std::string default_cache_dir();

}  // namespace jp::pyrunner
