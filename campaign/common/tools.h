// The executables and files that come with jitprobe (worker, guard, Python runtime), and how a user's words become
// runner options.
#pragma once

#include <string>
#include <vector>

#include "core/files.h"
#include "core/result.h"
#include "pyrunner/runner.h"

namespace jp::campaign {

/// The backends of the ladder, in order: each adds a component of the compiler.
const std::vector<std::string>& ladder();

/// Names of the backend files that come with jitprobe: the ladder, then the others.
const std::vector<std::string>& built_in_backends();

/// Resolves a backend as the user wrote it (a built-in name, "file.py", "module:callable" or "torch:NAME") to what the
/// runner takes. An Error names the choices.
Result<std::string> resolve_backend(const std::string& text);

/// Options for a runner that will use these backends and this device (device.h), with the paths of its tools.
Result<pyrunner::RunnerOptions> runner_options(const std::vector<std::string>& backends,
                                               const std::string& device = "cpu");

/// A program file of the user's.
Result<Program> load_program(const std::string& path, const std::string& entry, const std::string& inputs);

/// A random seed below 2^53 (so that any JSON reader keeps it exactly), from the system: for users who give none.
std::uint64_t fresh_seed();

}  // namespace jp::campaign
