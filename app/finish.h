// Continues the reduction of one stored finding, for commands that export it.
#pragma once

#include <functional>
#include <string>

#include "core/result.h"
#include "core/verdict.h"

namespace jp::app {

/// Reduces a finding that is not fully reduced, for at most so many seconds, and stores the result. `note` is told that
/// it takes a while, and what is unfinished or can't be verified in the end: also if another process writes the
/// campaign, which is no Error.
Status finish_reduction(const std::string& folder, const Finding& finding, double seconds,
                        const std::function<void(const std::string&)>& note);

}  // namespace jp::app
