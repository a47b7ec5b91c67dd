// Goes on with the reduction of one kept finding, for commands that hand it out.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "core/result.h"
#include "core/verdict.h"

namespace jp::campaign {

/// Goes on with the reduction of the finding for at most `seconds` (0: not at all) or until `stop` is set, and keeps
/// what comes of it. `note` is told that it takes a while, and what stays unfinished or unverified. It is also told
/// when another process writes the campaign, which is no Error.
Status finish_reduction(const std::string& folder, const Finding& finding, double seconds,
                        const std::atomic<bool>& stop, const std::function<void(const std::string&)>& note);

}  // namespace jp::campaign
