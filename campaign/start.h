// What happens before a campaign's first test: a warm runner passes the self-test, the time limit of runs is calibrated
// to this machine, and the backends' switches are read.
#pragma once

#include <memory>
#include <vector>

#include "campaign/campaign.h"
#include "campaign/common/stop_condition.h"
#include "core/result.h"
#include "report/store.h"

namespace jp::campaign {

/// A runner as the options say, that gives up when the campaign ends.
Result<std::unique_ptr<pyrunner::Runner>> warm_runner(const CampaignOptions& options,
                                                      const StopCondition& stop_condition);

/// The self-test; an Error if a planted failure is not detected. `options` gets what the runner says of the backends.
Status self_tested(CampaignOptions& options, pyrunner::Runner& runner, const StopCondition& stop_condition);

/// The first runner of a campaign; `options` gets what it says of the backends. Returns an Error if the store belongs
/// to a machine unlike this one, or if the self-test fails.
Result<std::unique_ptr<pyrunner::Runner>> ready_runner(CampaignOptions& options, report::Store& store,
                                                       CampaignEvents& events, const StopCondition& stop_condition);

/// Starts further runners like the first one, until there are as many as jobs.
Status start_more(std::vector<std::unique_ptr<pyrunner::Runner>>& runners, int jobs);

}  // namespace jp::campaign
