// The findings of a campaign that stayed flaky, for its summary: what they depend on is unknown, and they are shown all
// the same.
#pragma once

#include <string>
#include <vector>

#include "codec/json.h"
#include "core/result.h"
#include "core/verdict.h"

namespace jp::campaign {

/// All flaky findings in the folder of a campaign, those of earlier runs of the campaign included.
Result<std::vector<Finding>> flaky_findings(const std::string& folder);

/// Two lines a finding: how often it showed, and what was tried; "" for none.
std::string flaky_text(const std::vector<Finding>& findings);

/// An array of {id, reproduced, attempts, trials, reason}.
codec::Json flaky_json(const std::vector<Finding>& findings);

}  // namespace jp::campaign
