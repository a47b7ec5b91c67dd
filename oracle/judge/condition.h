// The condition under which all runs of a plan are made, in words.
#pragma once

#include <string>

#include "core/plan.h"

namespace jp::oracle {

/// "every fresh byte is 0x4b", "8 threads", "fixed addresses"; joined by a comma. "" for what every run has by default:
/// memory as it comes, one thread, addresses as they come.
std::string setting_text(const RunRequest& run);

/// "depends on unwritten memory (every fresh byte is 0x4b)"; "" for a plan that depends on nothing.
std::string condition_text(const Plan& plan);

}  // namespace jp::oracle
