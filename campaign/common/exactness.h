#pragma once

#include <string>

#include "core/observation.h"
#include "mutate/engine/mutation.h"

namespace jp::campaign {

/// Whether the eager run of a mutant keeps what its mutation promises of the eager run before: bitwise everything the
/// oracle counts; rounding within the default tolerances; a variation only has to get through its first call, and a
/// broken program must not. The oracle judges, with the mutant in the place of the compiled run. "" when it does, else
/// what differs.
std::string broken_promise(mutate::Exactness exactness, const Observation& before, const Observation& after);

}  // namespace jp::campaign
