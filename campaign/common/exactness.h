#pragma once

#include <string>

#include "core/observation.h"
#include "mutate/engine/mutation.h"

namespace jp::campaign {

/// Checks whether the eager run of a mutant keeps what its mutation promises relative to the eager run before: bitwise
/// equality of everything the oracle compares; for `rounding`, equality within the default tolerances; a variation only
/// has to finish its first call, and a broken program must not. The oracle judges, with the mutant in the place of the
/// compiled run. Returns "" if the promise holds, else what differs.
std::string broken_promise(mutate::Exactness exactness, const Observation& before, const Observation& after);

}  // namespace jp::campaign
