// Goes on with the reduction of one kept finding, for commands that hand it out.
#pragma once

#include <functional>
#include <string>

#include "core/result.h"
#include "core/verdict.h"

namespace jp::app {

/// Reduces what is not as small as it gets yet, for at most so many seconds, and keeps what comes of it. `note` is told
/// that it takes a while, and what is unfinished or can't be verified in the end: also where another process writes the
/// campaign, which is no Error.
Status finish_reduction(const std::string& folder, const Finding& finding, double seconds,
                        const std::function<void(const std::string&)>& note);

}  // namespace jp::app
