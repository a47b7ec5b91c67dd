// The campaign that was opened: /api/campaign, /api/finding, /api/export. It may be running.
#pragma once

#include <string>

#include "codec/json.h"
#include "core/result.h"
#include "explore/explorer.h"
#include "explore/reply.h"

namespace jp::explore {

Reply campaign_overview(Explorer& explorer);
Reply finding(Explorer& explorer, const codec::Json& body);
Reply export_finding(Explorer& explorer, const codec::Json& body);

/// The object of `findings show --stored --json`, and "program", "steps", "reductions".
Result<codec::Json> full_finding_json(const std::string& folder, const std::string& id);

/// A finding to begin with, by its id or a prefix of it.
Result<Opened> open_finding(const std::string& folder, const std::string& id);

}  // namespace jp::explore
