// A campaign: tests by number, each made, run, judged and recorded, by as many jobs as asked, until time or tests are
// used up.
#pragma once

#include <atomic>

#include "campaign/lease_pool.h"
#include "campaign/making/options.h"
#include "core/result.h"
#include "report/store.h"

namespace jp::campaign {

/// Runs the campaign to its end and keeps everything in `store`. With `stop` set, or when time is up, it ends within a
/// second or two; what is under way then is left for the next start with the same store. Returns an Error if it can't
/// start (a self-test failed), or if the store or the machine fails; all that was acknowledged is kept then. With
/// `open_pool` other processes make the tests, and the jobs confirm and reduce.
Result<Tally> run_campaign(const CampaignOptions& options, report::Store& store, CampaignEvents& events,
                           const std::atomic<bool>& stop, const OpenPool& open_pool = {});

}  // namespace jp::campaign
