// What happens before a campaign's first test: warm runners start, the first one passes the self-test, the time limit
// of runs is calibrated to this machine, and the backends' switches are read.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "campaign/campaign.h"
#include "campaign/common/stop_condition.h"
#include "codec/codec.h"
#include "core/result.h"
#include "report/store.h"

namespace jp::campaign {

using Runners = std::vector<std::unique_ptr<pyrunner::Runner>>;

/// A runner as the options say, that gives up when the campaign ends. `polled`, unless it is empty, is called whenever
/// it looks whether that is so: RunnerOptions::given_up says how often.
Result<std::unique_ptr<pyrunner::Runner>> warm_runner(const CampaignOptions& options,
                                                      const StopCondition& stop_condition,
                                                      const std::function<void()>& polled = {});

/// Reads what the runner says of the backends into `options`.
Status read_switches(CampaignOptions& options, pyrunner::Runner& runner, const StopCondition& stop_condition);
/// Leaves what the torch lacks, as a campaign's settings have it, out of what the sources generate.
void leave_out(CampaignOptions& options, const codec::Json& settings);
/// The self-test; an Error if a planted failure is not detected.
Status self_tested(const CampaignOptions& options, pyrunner::Runner& runner, const StopCondition& stop_condition);

/// A campaign's runners, one a job, the first of them with the self-test behind it; `options` gets what it says of the
/// backends. Returns an Error if the store belongs to a machine unlike this one, or if the self-test fails.
Result<Runners> ready_runners(CampaignOptions& options, report::Store& store, CampaignEvents& events,
                              const StopCondition& stop_condition);

}  // namespace jp::campaign
