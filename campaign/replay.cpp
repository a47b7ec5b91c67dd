#include "campaign/replay.h"

#include <fmt/format.h>

#include "campaign/settings.h"
#include "pyrunner/temporary.h"
#include "report/files.h"

namespace jp::campaign {
Result<report::EndedTest> replay(const CampaignOptions& flags, std::uint64_t test, CampaignEvents& events,
                                 const std::atomic<bool>& stop) {
  Result<pyrunner::TemporaryFolder> copy = pyrunner::TemporaryFolder::make("replay");
  if (!copy.ok()) return copy.error();
  if (Status copied = report::copy_before(flags.folder, test, copy.value().path()); !copied.ok()) return copied.error();
  // Neither the database nor the lock, and no case of another test.
  const auto left_out = [](const std::string& name) { return name.starts_with("campaign.") || name == "waiting"; };
  if (Status copied = report::copy_contents(flags.folder, copy.value().path(), left_out); !copied.ok())
    return copied.error();
  CampaignOptions campaign = flags;
  campaign.folder = copy.value().path();
  campaign.tests = std::nullopt;
  campaign.only = test;
  campaign.jobs = 1;
  auto store = report::Store::open(campaign.folder);
  if (!store.ok()) return store.error();
  if (Status read = read_settings(store.value()->settings(), campaign); !read.ok()) return read.error();
  const Epochs& epochs = campaign.maker.epochs;
  const std::uint64_t epoch = epochs.of(test);
  if (epoch >= 2 && store.value()->first_unfinished() < epochs.begin(epoch - 1))
    return Error{fmt::format("the campaign in {} has not reached test {} yet: continue it first (--resume)",
                             flags.folder, test)};
  Result<Tally> tally = run_campaign(campaign, *store.value(), events, stop);
  if (!tally.ok()) return tally.error();
  return report::read_verdict(campaign.folder, test);
}

}  // namespace jp::campaign
