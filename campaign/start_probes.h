// The start-up probes of commands that judge one program or run files again: a short form of the self-test of `fuzz`,
// once for each torch and build. That they passed is kept in the cache folder, so that later calls only compare a few
// dates.
#pragma once

#include <string>

#include "core/result.h"
#include "pyrunner/runner.h"
#include "pyrunner/standalone.h"

namespace jp::campaign {

/// For commands that judge: every kind of failure is planted (campaign/common/self_test.h, on Dynamo's own backend) and
/// must be detected. An Error says in one sentence what was not, or why the runner's device can't be used. Returns at
/// once if they passed before, or if the runner is given up.
Status probe_once(pyrunner::Runner& runner);

/// For commands that run files by themselves: a file that shows a difference must exit with 1 and one that shows none
/// with 0, in the interpreter whose torch is of this version. `runtime_dir` as in RunnerOptions.
Status probe_once(const pyrunner::Standalone& standalone, const std::string& torch, const std::string& runtime_dir);

}  // namespace jp::campaign
