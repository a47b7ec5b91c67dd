// What stands before a campaign's first test: a warm runner whose every eye has seen what it should, a limit for runs
// that is this machine's, and what the backends can be told.
#pragma once

#include <memory>

#include "campaign/campaign.h"
#include "campaign/common/stop_condition.h"
#include "core/result.h"
#include "report/store.h"

namespace jp::campaign {

/// The first runner of a campaign; `options` gets what it says of the backends. An Error when the store is another
/// torch's, or when a failure would not be seen.
Result<std::unique_ptr<pyrunner::Runner>> ready_runner(CampaignOptions& options, report::Store& store,
                                                       CampaignEvents& events, const StopCondition& stop_condition);

}  // namespace jp::campaign
