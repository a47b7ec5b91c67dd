// What a child's reply to a request says.
#pragma once

#include <string>

#include "core/outcome.h"
#include "pyrunner/child.h"

namespace jp::pyrunner {

/// The ending of a run that gave no answer: of no program's doing.
Died lost(const std::string& why);

/// Whether jitprobe's own code failed in the child.
bool is_broken(const Reply& reply);

/// The ending that an answer holds, or that the child had instead of giving one.
Ending ending_of(Reply reply);

/// Whether the child must not be used again.
bool wants_retirement(const Reply& reply);

/// Whether the run imported the compiler, which the zygote had not.
bool lacked_compiler(const Reply& reply);

}  // namespace jp::pyrunner
