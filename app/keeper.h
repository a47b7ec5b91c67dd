// What becomes of a campaign's divergences: looked up among the findings, kept as a candidate when new, confirmed,
// reduced. Shared by all jobs; each gives its own runner.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "app/campaign.h"
#include "app/judging.h"
#include "app/roster.h"
#include "app/until.h"
#include "report/reproducer.h"

namespace jp::app {

/// What a campaign's earlier runs found and left: candidates to confirm, and, where findings are reduced at all,
/// confirmed ones that were not.
Result<std::vector<report::FindingRow>> left_to_do(const std::string& folder, std::int64_t reduce);

class Keeper {
 public:
  /// `tell` gets what is being done, `found` every finding once it is confirmed, flaky or left a candidate.
  Keeper(const CampaignOptions& options, report::Store& store, const Until& until, report::ReproducerOptions versions,
         std::function<void(const std::string&)> tell, std::function<void(const Finding&)> found);

  /// Reads what the campaign has kept so far; before anything else.
  Status load();
  /// Confirms and reduces what an earlier run of the campaign left, with the other jobs.
  Status finish_earlier(pyrunner::Runner& runner);
  /// The first test of the finding that `finish_earlier` last began with, in any thread.
  std::uint64_t at_work_on() const;
  /// Keeps a divergence that stood when it was run again alone. Cut off by the campaign's end, it is to be kept again.
  Status keep(pyrunner::Runner& runner, const TestCase& test, const Judged& judged);

  KeptCounts counts() const;

 private:
  std::optional<report::FindingRow> next_left();
  Result<Place> place(const Finding& found, std::uint64_t number);
  Status tell_apart(pyrunner::Runner& runner, Finding found, const std::string& like, std::uint64_t number);
  Status confirm_kept(pyrunner::Runner& runner, const Finding& candidate, std::uint64_t number);
  Status reduce_kept(pyrunner::Runner& runner, const Finding& finding);
  std::optional<report::SmallForm> reduced(pyrunner::Runner& runner, const Finding& finding);
  void count(const Finding& finding);

  const CampaignOptions& options_;
  report::Store& store_;
  const Until& until_;
  const report::ReproducerOptions versions_;
  const std::function<void(const std::string&)> tell_;
  const std::function<void(const Finding&)> found_;

  mutable std::mutex mutex_;  // of all that follows
  Roster roster_;
  KeptCounts counts_;
  std::uint64_t at_work_on_ = 0;
  std::vector<report::FindingRow> left_;  // of an earlier run of the campaign, the next one last
};

}  // namespace jp::app
