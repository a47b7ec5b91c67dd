// What becomes of a campaign's divergences: looked up in the finding index, registered as candidates if new, confirmed,
// reduced. Shared by all jobs; each passes its own runner.
//
// A new finding is reduced twice: at once, over a bounded number of programs, because later tests depend on the result;
// and to the end when there is nothing better to do (campaign/triage/deferred_reductions.h), on which no test depends.
// What the first reduction slips to is a divergence of the same test.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "campaign/common/judging.h"
#include "campaign/common/phases.h"
#include "campaign/common/stop_condition.h"
#include "campaign/known/known_judge.h"
#include "campaign/making/options.h"
#include "campaign/triage/deferred_reductions.h"
#include "campaign/triage/finding_index.h"
#include "pyrunner/standalone.h"
#include "report/reproducer.h"

namespace jp::campaign {

/// What earlier runs of the campaign found and left unfinished.
struct LeftToDo {
  /// To be done before new tests: candidates to confirm, and confirmed findings that were not compared with known bugs
  /// or, if findings are reduced at all, not reduced.
  std::vector<report::FindingRow> first;
  /// Findings that are not fully reduced, by id.
  std::vector<std::string> aside;
};
Result<LeftToDo> left_to_do(const std::string& folder, std::int64_t reduce);

class Triager {
 public:
  /// Slippage of a slip's own reduction is followed too, and no further, so that chains end.
  static constexpr int kSlipDepth = 2;

  /// `tell` gets what is being done; `found` gets every finding once it is confirmed, flaky or left a candidate, except
  /// known bugs, with what is said of those that it looks like.
  Triager(const CampaignOptions& options, report::Store& store, const StopCondition& stop_condition,
          report::ReproducerOptions versions, std::function<void(const std::string&)> tell,
          std::function<void(const Finding&, const std::string&)> found);

  /// Reads what the campaign has stored so far; to be called first.
  Status load();
  /// Sets the known bugs and which of them reproduce; to be called before the functions below.
  void know(std::vector<report::KnownBug> known, std::vector<Standing> standings, const std::string& torch);
  /// Confirms and reduces what an earlier run of the campaign left, together with the other jobs.
  Status finish_earlier(pyrunner::Runner& runner);
  /// The first test of the finding that this thread last began to finish; nothing if no test depends on that.
  std::optional<std::uint64_t> at_work_on() const;
  /// Enters a divergence that reproduced when it was run again alone, as a sighting of known bugs if these explain it
  /// as it is. Nothing if the campaign's end came before its triage decision: it has to be judged and entered again. If
  /// the end comes later, it stays as a candidate. Else the signature by which the test is remembered: of one explained
  /// by a known bug that of the bug's sightings.
  Result<std::optional<Signature>> keep(pyrunner::Runner& runner, const TestCase& test, const JudgedProgram& judged);

  /// Continues a deferred reduction until `enough`; false if there is none that no job is working on.
  Result<bool> reduce_deferred(pyrunner::Runner& runner, const std::function<bool()>& enough);
  /// Confirms and reduces what is left to the end, together with the other jobs.
  Status finish(pyrunner::Runner& runner);
  /// To be called when the campaign's tests have ended: collects what they left unfinished.
  Status collect_left();

  KeptCounts counts() const;

 private:
  /// The test that a divergence belongs to, and the reductions in between (report::Slip).
  struct Origin {
    std::uint64_t number = 0;
    report::Slip slip;
  };

  /// A divergence on the way to its triage decision.
  struct Divergence {
    const oracle::Oracle& oracle;
    oracle::PlanOptions options;  // of the backend on which it was met
    Program program;
    JudgedProgram judged;  // attributed
  };

  std::optional<report::FindingRow> next_left();
  Result<TriageDecision> place(const Finding& found, const Origin& origin);
  Status enter(const Finding& found, const Origin& origin);
  report::Cause locate(pyrunner::Runner& runner, Finding& found);
  Result<std::optional<Signature>> keep_divergence(pyrunner::Runner& runner, const Divergence& met,
                                                   const Origin& origin);
  /// What known bugs explain of it, or nothing if it has to be looked up.
  Explained explain(pyrunner::Runner& runner, const Divergence& met, const Origin& origin);
  /// Stores the sightings; returns the signature of the first one.
  Result<Signature> count_explained(const Divergence& met, const Explained& explained, const Origin& origin);
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
  /// `seconds` becomes what it took.
  Result<std::optional<Piece>> reduced(pyrunner::Runner& runner, Reduction& reducing, Phase phase, double& seconds);
  Phase phase_of_reducing(const std::string& id) const;
  void count_as_known(const std::string& id);
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

  mutable std::mutex mutex_;  // guards everything below
  FindingIndex finding_index_;
  DeferredReductions deferred_;
  KeptCounts counts_;
  /// By finding: seconds of reducing it, charged to Phase::kReduceNew.
  std::map<std::string, double> reduce_seconds_;
  std::map<std::thread::id, std::uint64_t> at_work_on_;
  /// Sightings of a finding that another job has not compared with known bugs yet, by its ID.
  std::map<std::string, std::vector<std::pair<Finding, Origin>>> to_look_at_;
  std::vector<report::FindingRow> left_;  // of an earlier run of the campaign, the next one last
};

}  // namespace jp::campaign
