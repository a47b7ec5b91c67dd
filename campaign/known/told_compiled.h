// Programs whose result depends on torch.compiler.is_compiling(): eager and a compiled run differ on purpose.
#pragma once

#include "campaign/common/judging.h"
#include "core/program.h"
#include "pyrunner/runner.h"

namespace jp::campaign {

/// Whether eager shows something else when it is told that it is compiled, and compiles nothing. Two eager runs of a
/// program that asks, or one if it is `judged` already; no run of any other.
bool depends_on_being_compiled(pyrunner::Runner& runner, const Program& program, const JudgedProgram* judged = nullptr);

}  // namespace jp::campaign
