// What a process that makes tests of a campaign must have in common with it, besides what the machine decides
// (campaign/machine.h).
#pragma once

#include <string>

#include "campaign/making/options.h"
#include "codec/json.h"
#include "core/result.h"

namespace jp::campaign {

/// "build" (the version of jitprobe, and a hash of this program and of the .py files of the runtime, by their
/// contents), "known bugs" (how many, and a hash of their names and texts): the same wherever the same files lie; and
/// "confinement" (what programs may reach). Compared by `unlike`. An Error names a file that can't be read.
Result<codec::Json> fingerprint(const pyrunner::RunnerOptions& runner, const KnownBefore& known);

}  // namespace jp::campaign
