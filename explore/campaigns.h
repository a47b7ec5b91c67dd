// The campaign that was opened: /api/campaign, /api/finding, the stream /api/export. It may be running.
#pragma once

#include <string>
#include <vector>

#include "campaign/evidence/verified_export.h"
#include "codec/json.h"
#include "core/result.h"
#include "explore/explorer.h"
#include "explore/reply.h"
#include "explore/stream.h"
#include "oracle/judge/oracle.h"

namespace jp::explore {

Reply campaign_overview(Explorer& explorer);
Reply finding(Explorer& explorer, const codec::Json& body);
/// The work of the stream that makes an export, and measures the evidence that it needs; an Error says what is wrong
/// with the request.
Result<Stream::Work> export_work(Explorer& explorer, const codec::Json& body);

/// The object of `findings show --stored --json`, and "program", "steps", "reductions".
codec::Json full_finding_json(const campaign::LoadedFinding& kept);

/// The backends that a campaign was started with and that are still there, as the runner takes them. A module's is not
/// among them: it can't be told without importing it whether it is there.
std::vector<std::string> campaign_backends(const std::string& folder);

/// The device that the campaign's runs need (RunnerOptions::device); "cpu" where its settings can't be read.
std::string campaign_device(const std::string& folder);

/// What a finding's divergence was judged with, for `/api/run`; an Error without a campaign or a finding of that id.
Result<oracle::PlanOptions> finding_plan(const Explorer& explorer, const codec::Json& body);

/// A finding to begin with, by its id or a prefix of it.
Result<Opened> open_finding(const std::string& folder, const std::string& id);

}  // namespace jp::explore
