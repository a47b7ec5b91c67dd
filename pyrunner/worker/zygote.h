// The zygote: warm, single-threaded, forks children on request and reports their ends. It never runs a test.
#pragma once

#include "pyrunner/worker/convert.h"

namespace jp::pyrunner {

/// Serves the control socket until the driver closes it. `program` is this executable, for children with a new
/// interpreter. Never returns.
[[noreturn]] void run_zygote(int control, const std::string& program);

/// A child with a new interpreter: takes the configuration from the first frame on `socket`, then serves.
[[noreturn]] void run_fresh(int socket, const std::string& folder);

}  // namespace jp::pyrunner
