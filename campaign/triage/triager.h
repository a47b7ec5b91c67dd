// What becomes of a campaign's divergences: looked up among the findings, kept as a candidate when new, confirmed,
// reduced. Shared by all jobs; each gives its own runner.
//
// A new finding is reduced twice: at once, over a bounded number of programs, because later tests depend on what it
// comes to; and to the end when there is nothing better to do (campaign/triage/deferred_reductions.h), on which no test
// depends. What the first reduction slips to is a divergence of the same test.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "campaign/common/judging.h"
#include "campaign/common/stop_condition.h"
#include "campaign/known/known_judge.h"
#include "campaign/making/options.h"
#include "campaign/triage/deferred_reductions.h"
#include "campaign/triage/finding_index.h"
#include "pyrunner/standalone.h"
#include "report/reproducer.h"

namespace jp::campaign {

/// What a campaign's earlier runs found and left.
struct LeftToDo {
  /// To be done before new tests: candidates to confirm, and confirmed ones that were not compared with known bugs or,
  /// where findings are reduced at all, not reduced.
  std::vector<report::FindingRow> first;
  /// Findings that could be smaller yet, by id.
  std::vector<std::string> aside;
};
Result<LeftToDo> left_to_do(const std::string& folder, std::int64_t reduce);

class Triager {
 public:
  /// What a slip's own reduction slips to is followed too, and no further: chains end.
  static constexpr int kSlipDepth = 2;

  /// `tell` gets what is being done, `found` every finding once it is confirmed, flaky or left a candidate, but for
  /// those that are known bugs, with what is said of those that it looks like.
  Triager(const CampaignOptions& options, report::Store& store, const StopCondition& stop_condition,
          report::ReproducerOptions versions, std::function<void(const std::string&)> tell,
          std::function<void(const Finding&, const std::string&)> found);

  /// Reads what the campaign has kept so far; before anything else.
  Status load();
  /// The known bugs and which of them are there; before the first of what follows.
  void know(std::vector<report::KnownBug> known, std::vector<Standing> standings, const std::string& torch);
  /// Confirms and reduces what an earlier run of the campaign left, with the other jobs.
  Status finish_earlier(pyrunner::Runner& runner);
  /// The first test of the finding that this thread last began to finish; nothing where no test depends on that.
  std::optional<std::uint64_t> at_work_on() const;
  /// Keeps a divergence that stood when it was run again alone. False when the campaign's end came before it had its
  /// place among the findings: it is to be judged and kept again. Later it stays there as a candidate.
  Result<bool> keep(pyrunner::Runner& runner, const TestCase& test, const JudgedProgram& judged);

  /// Goes on with a reduction that was put aside, until `enough`; false when there is none that nobody is at.
  Result<bool> reduce_deferred(pyrunner::Runner& runner, const std::function<bool()>& enough);
  /// To the end: confirms and reduces what is left, with the other jobs.
  Status finish(pyrunner::Runner& runner);
  /// The campaign's tests have ended: what they left is there to be finished.
  Status collect_left();

  KeptCounts counts() const;

 private:
  /// The test that a divergence belongs to, and the reductions that lie between (report::Slip).
  struct Origin {
    std::uint64_t number = 0;
    report::Slip slip;
  };

  std::optional<report::FindingRow> next_left();
  Result<TriageDecision> place(const Finding& found, const Origin& origin);
  Status enter(const Finding& found, const Origin& origin);
  report::Cause locate(pyrunner::Runner& runner, Finding& found);
  Result<bool> keep_found(pyrunner::Runner& runner, Finding found, const Origin& origin);
  Status look_behind(pyrunner::Runner& runner, const Finding& found, const std::string& like, const Origin& origin);
  Status look_behind_all(pyrunner::Runner& runner, const Finding& found, const Origin& origin);
  Result<bool> tell_apart(pyrunner::Runner& runner, Finding found, report::Cause cause, const std::string& like,
                          const Origin& origin);
  bool bisected_apart(pyrunner::Runner& runner, const Finding& found, const report::ReducedProgram& small,
                      const std::string& same, report::Cause& cause);
  Status find_cause(pyrunner::Runner& runner, const Finding& finding);
  Status confirm_kept(pyrunner::Runner& runner, const Finding& candidate, const Origin& origin);
  Status study(pyrunner::Runner& runner, const Finding& finding, const Origin& origin);
  Status reduce_kept(pyrunner::Runner& runner, const Finding& finding, const Origin& origin);
  Result<std::optional<Piece>> reduced(pyrunner::Runner& runner, Reduction& reducing);
  Status keep_slips(pyrunner::Runner& runner, const Finding& finding, const Piece& piece, const Origin& origin);
  Status keep_late(pyrunner::Runner& runner, const Finding& finding, const Piece& piece);
  Result<report::KnownVerdict> known_verdict(pyrunner::Runner& runner, const Finding& finding);
  Status count(pyrunner::Runner& runner, const Finding& finding);

  const CampaignOptions& options_;
  report::Store& store_;
  const StopCondition& stop_condition_;
  const report::ReproducerOptions versions_;
  const std::function<void(const std::string&)> tell_;
  const std::function<void(const Finding&, const std::string&)> found_;
  std::optional<KnownJudge> known_;

  mutable std::mutex mutex_;  // of all that follows
  FindingIndex finding_index_;
  DeferredReductions deferred_;
  KeptCounts counts_;
  std::map<std::thread::id, std::uint64_t> at_work_on_;
  /// Sightings of a finding that another job has not compared with known bugs yet, by its ID.
  std::map<std::string, std::vector<std::pair<Finding, Origin>>> to_look_at_;
  std::vector<report::FindingRow> left_;  // of an earlier run of the campaign, the next one last
};

}  // namespace jp::campaign
