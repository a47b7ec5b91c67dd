// What happens before a campaign's first test: warm runners start, the first one passes the self-test, the time limit
// of runs is calibrated to this machine, and the backends' switches are read.
#pragma once

#include <memory>
#include <vector>

#include "campaign/campaign.h"
#include "campaign/common/stop_condition.h"
#include "core/result.h"
#include "report/store.h"

namespace jp::campaign {

using Runners = std::vector<std::unique_ptr<pyrunner::Runner>>;

/// A campaign's runners, one a job, the first of them with the self-test behind it; `options` gets what it says of the
/// backends. Returns an Error if the store belongs to another torch, or if the self-test fails.
Result<Runners> ready_runners(CampaignOptions& options, report::Store& store, CampaignEvents& events,
                              const StopCondition& stop_condition);

}  // namespace jp::campaign
