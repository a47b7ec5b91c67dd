// One test of a campaign once more: in a copy of the campaign as it was when the test was about to run, so that the
// test meets the same tables and findings, and the campaign stays as it is.
#pragma once

#include <atomic>
#include <cstdint>

#include "campaign/campaign.h"

namespace jp::campaign {

/// Makes, judges and keeps the test as the campaign did; gives what became of it. `flags`: the runner and the folder;
/// all else comes from the campaign's settings. An Error when there is no such campaign, or it can't start.
Result<report::EndedTest> replay(const CampaignOptions& flags, std::uint64_t test, CampaignEvents& events,
                                 const std::atomic<bool>& stop);

}  // namespace jp::campaign
