// What compiling a program did: graphs, breaks, guards, recompiles, counters (docs/formats.md, "Compile report").
#pragma once

#include <string>

#include "codec/json.h"
#include "core/program.h"
#include "core/result.h"
#include "pyrunner/runner.h"

namespace jp::answers {

/// The compile report of the program under the backend. An Error if this version can't make one.
Result<codec::Json> explain(pyrunner::Runner& runner, const Program& program, const std::string& backend);

}  // namespace jp::answers
