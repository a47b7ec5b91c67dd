// CPython inside the worker: how it is configured, and the calls into pyrunner/runtime.
#pragma once

#include <string>

#include "pyrunner/worker/convert.h"

namespace jp::pyrunner {

/// Sets the environment that torch and its compiler read when they are imported, and starts the interpreter: isolated,
/// UTF-8 mode, no signal handlers of Python's, a fixed hash seed, the venv of `configuration["executable"]`. To be
/// called once. Throws std::runtime_error if CPython can't start.
void start_interpreter(const Json& configuration);

/// Imports the runtime package and warms it up. Returns the fields of WorkerInfo.
Json warm_up(const Json& configuration);

/// Imports and uses once these parts of the compiler (protocol.h, `warm`). Returns the fields of WorkerInfo that are
/// known only now. Throws as handle() does.
Json warm_up_compiler(const std::string& parts);

/// To be called once in a child before its first request: sets up what belongs to this process alone. `as_it_is`:
/// nothing is left out of compiling.
void enter_child(const std::string& folder, int stack_descriptor, bool as_it_is);

/// Runs one request; succeeds unless the runtime is broken, which is a std::runtime_error or py::error_already_set.
Json handle(const Json& request);

/// Number of threads of this process, from /proc/self/status.
int thread_count();

}  // namespace jp::pyrunner
