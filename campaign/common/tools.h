// The tools that stand beside jitprobe: worker, guard, Python runtime; and how a user's words become runner options.
#pragma once

#include <string>
#include <vector>

#include "core/files.h"
#include "core/result.h"
#include "pyrunner/runner.h"

namespace jp::campaign {

/// The backends of the ladder, in its order: each adds a component of the compiler.
const std::vector<std::string>& ladder();

/// Names of the backend files that come with jitprobe: the ladder, then those beside it.
const std::vector<std::string>& built_in_backends();

/// A backend as the user wrote it: a built-in name, "file.py", "module:callable" or "torch:NAME", as the runner takes
/// it. An Error names what there is.
Result<std::string> resolve_backend(const std::string& text);

/// Options for a runner that will use these backends, with the paths of its tools.
Result<pyrunner::RunnerOptions> runner_options(const std::vector<std::string>& backends);

/// The whole of a file, or one sentence.
Result<std::string> read_file(const std::string& path);

/// Makes a folder and those above it, unless they are there.
Status make_folder(const std::string& path);

/// A program file of the user's.
Result<Program> load_program(const std::string& path, const std::string& entry, const std::string& inputs);

/// A random seed below 2^53 (so that any JSON reader keeps it), from the system: for users who give none.
std::uint64_t fresh_seed();

}  // namespace jp::campaign
