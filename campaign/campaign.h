// A campaign: tests by number, made, run, judged and kept, by as many jobs as asked, until time or tests are used up.
#pragma once

#include <atomic>

#include "campaign/making/options.h"
#include "core/result.h"
#include "report/store.h"

namespace jp::campaign {

/// Runs the campaign to its end, keeping everything in `store`. `stop` set, or time up: ends within a second or two;
/// what is under way then is left for the next start with the same store. An Error when it can't start (an eye is
/// blind) or store or machine fail; all that was acknowledged is kept then.
Result<Tally> run_campaign(const CampaignOptions& options, report::Store& store, CampaignEvents& events,
                           const std::atomic<bool>& stop);

}  // namespace jp::campaign
