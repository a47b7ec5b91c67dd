// What compiling a program did: graphs, guards, graph breaks, recompilations, generated code, counters.
#pragma once

#include <string>

#include "codec/json.h"
#include "core/program.h"
#include "core/result.h"
#include "pyrunner/runner.h"

namespace jp::campaign {

/// The report of one compiled run of the program on that device, in a process of its own within the runner's limits, as
/// JSON (docs/formats.md, "What compiling did"). `backend` as RunRequest::backend; one without torch.compile gives a
/// report without graphs. A compile that fails, a program that raises or that can't be run gives a report of what was
/// seen until then, whose "error" is a sentence. A run that hangs, dies or needs too much memory is an Error. The run
/// is judged by nothing: its results are not even recorded.
Result<codec::Json> compile_report(pyrunner::Runner& runner, const Program& program, const std::string& backend,
                                   const std::string& device = "cpu");

}  // namespace jp::campaign
