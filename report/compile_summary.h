// The report on what compiling a program did (docs/formats.md, "What compiling did"), as text for people.
#pragma once

#include <string>

#include "codec/json.h"

namespace jp::report {

/// Some lines: how many graphs, nodes, guards and kernels there are; each graph with its lines of the program and those
/// guards that come from a line; each graph break and each recompilation with its line and reason; what failed, and
/// what this torch can't tell. `title` is what compiled it: "inductor". Lines count from 1; 0 in the report is a line
/// that isn't known and is not shown.
std::string compile_summary(const std::string& title, const codec::Json& report);

}  // namespace jp::report
