// The findings of a campaign that stayed flaky, for its end: nobody knows what they depend on, and they are shown all
// the same.
#pragma once

#include <string>
#include <vector>

#include "codec/codec.h"
#include "core/result.h"
#include "core/verdict.h"

namespace jp::campaign {

/// All of them that the folder of a campaign holds, of earlier runs of the campaign too.
Result<std::vector<Finding>> flaky_findings(const std::string& folder);

/// Two lines a finding: how often it showed, and what was tried; "" for none.
std::string flaky_text(const std::vector<Finding>& findings);

/// An array of {id, reproduced, attempts, trials, reason}.
codec::Json flaky_json(const std::vector<Finding>& findings);

}  // namespace jp::campaign
