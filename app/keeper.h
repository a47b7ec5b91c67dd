// What becomes of a campaign's divergences: looked up among the findings, kept as a candidate when new, confirmed,
// reduced. Shared by all jobs; each gives its own runner.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "app/campaign.h"
#include "app/judging.h"
#include "app/known_judge.h"
#include "app/roster.h"
#include "app/until.h"
#include "report/reproducer.h"

namespace jp::app {

class Keeper {
 public:
  /// `tell` gets what is being done, `found` every finding once it is confirmed, flaky or left a candidate, but for
  /// those that are known bugs, with what is said of those that it looks like.
  Keeper(const CampaignOptions& options, report::Store& store, const Until& until, report::ReproducerOptions versions,
         std::function<void(const std::string&)> tell, std::function<void(const Finding&, const std::string&)> found);

  /// Reads what the campaign has kept so far; before anything else.
  Status load();
  /// The known bugs and which of them are there; before the first of what follows.
  void know(std::vector<report::KnownBug> known, std::vector<Standing> standings, const std::string& torch);
  /// Confirms and reduces what an earlier run of the campaign left, with the other jobs.
  Status finish_earlier(pyrunner::Runner& runner);
  /// Keeps a divergence that stood when it was run again alone. Cut off by the campaign's end, it is to be kept again.
  Status keep(pyrunner::Runner& runner, const TestCase& test, const Judged& judged);

  KeptCounts counts() const;

 private:
  std::optional<report::FindingRow> next_left();
  Result<Place> place(const Finding& found, std::uint64_t number);
  report::Cause locate(pyrunner::Runner& runner, Finding& found);
  Status tell_apart(pyrunner::Runner& runner, Finding found, report::Cause cause, const std::string& like,
                    std::uint64_t number);
  bool bisected_apart(pyrunner::Runner& runner, const Finding& found, const report::SmallForm& small,
                      const std::string& same, report::Cause& cause);
  Status find_cause(pyrunner::Runner& runner, const Finding& finding);
  Status confirm_kept(pyrunner::Runner& runner, const Finding& candidate, std::uint64_t number);
  Status reduce_kept(pyrunner::Runner& runner, const Finding& finding);
  std::optional<report::SmallForm> reduced(pyrunner::Runner& runner, const Finding& finding);
  Result<report::KnownVerdict> known_verdict(pyrunner::Runner& runner, const Finding& finding);
  Status count(pyrunner::Runner& runner, const Finding& finding);

  const CampaignOptions& options_;
  report::Store& store_;
  const Until& until_;
  const report::ReproducerOptions versions_;
  const std::function<void(const std::string&)> tell_;
  const std::function<void(const Finding&, const std::string&)> found_;
  std::optional<KnownJudge> known_;

  mutable std::mutex mutex_;  // of all that follows
  Roster roster_;
  KeptCounts counts_;
  std::vector<report::FindingRow> left_;  // of an earlier run of the campaign, the next one last
};

}  // namespace jp::app
