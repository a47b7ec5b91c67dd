// What becomes of a campaign's divergences: looked up in the finding index, registered as candidates if new, confirmed,
// reduced. Shared by all jobs; each passes its own runner.
//
// Cases are decided in the order of tests, each with all that its reduction slips to before the next one, so that every
// decision is the same whatever the number of jobs. What costs time are runs, whose answers don't depend on decisions:
// other jobs make those of later cases ahead, if these are unlike all that came before.
//
// A new finding is reduced twice: at once, over a bounded number of programs, because later tests depend on the result;
// and to the end when there is nothing better to do (campaign/triage/deferred_reductions.h), on which no test depends.
// What the first reduction slips to is a divergence of the same test.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "campaign/common/judging.h"
#include "campaign/common/phases.h"
#include "campaign/common/stop_condition.h"
#include "campaign/known/known_judge.h"
#include "campaign/making/options.h"
#include "campaign/triage/case.h"
#include "campaign/triage/case_runs.h"
#include "campaign/triage/deferred_reductions.h"
#include "campaign/triage/finding_index.h"
#include "campaign/triage/seen.h"
#include "report/reproducer.h"

namespace jp::campaign {

/// What earlier runs of the campaign found and left unfinished.
struct LeftToDo {
  /// To be done before anything else is decided: candidates to confirm, and confirmed findings that were not compared
  /// with known bugs or, if findings are reduced at all, not reduced. Those that the reduction of another slipped to
  /// come before that one.
  std::vector<report::FindingRow> first;
  /// Findings that are not fully reduced.
  std::vector<report::FindingRow> aside;
};
Result<LeftToDo> left_to_do(const std::string& folder, std::int64_t reduce);

class Triager {
 public:
  /// `tell` gets what is being done; `found` gets every finding once it is confirmed, flaky or left a candidate, except
  /// known bugs, with what is said of those that it looks like.
  Triager(const CampaignOptions& options, report::Store& store, const StopCondition& stop_condition,
          report::ReproducerOptions versions, std::function<void(const std::string&)> tell,
          std::function<void(const Finding&, const std::string&)> found);

  /// Reads what the campaign has stored so far; to be called first.
  Status load();
  /// Sets the known bugs and which of them reproduce; to be called before the functions below.
  void know(std::vector<report::KnownBug> known, std::vector<Standing> standings, const std::string& torch);
  /// Whether an earlier run of the campaign left something to confirm or to reduce.
  bool has_left() const;
  /// Confirms and reduces that. To be called by one job at a time, and not beside `decide`.
  Status finish_earlier(pyrunner::Runner& runner);
  /// The first test of the finding that this thread last began to finish; nothing if no test depends on that.
  std::optional<std::uint64_t> at_work_on() const;

  /// What is to be said of a divergence that reproduced when it was run again alone. It depends on nothing but the
  /// test. Nothing if the campaign's end came before: the test has to be made again.
  std::optional<Seen> look(pyrunner::Runner& runner, const Divergence& met, std::uint64_t test);
  /// Counts the sightings of known bugs in that test.
  Status count_known(const std::vector<KnownSighting>& sightings, std::uint64_t number);
  /// The same but for adding the test to those that saw them: of which findings, all of them stored.
  Result<std::vector<std::string>> enter_known(const std::vector<KnownSighting>& sightings, std::uint64_t number);
  /// Looks a case up among the findings, and confirms and reduces a new one. To be called in the order of tests, by one
  /// job at a time. False if the campaign's end came before it was decided: what was begun stays as a candidate, and
  /// the case has to be decided again.
  Result<bool> decide(pyrunner::Runner& runner, const Case& one, CaseMemory& memory);
  /// Whether there are findings that look like this. Tests that don't may be studied ahead.
  bool has_alike(const Signature& signature) const;
  /// Whether it pays to measure where one that looks like this first goes wrong.
  bool wants_place(const Signature& signature) const;
  /// Makes the runs that deciding such a case will most likely ask for. Stores nothing but answers.
  Status study_ahead(pyrunner::Runner& runner, const Case& one, const StudyParts& parts, CaseMemory& memory);

  /// Continues a deferred reduction until `enough`; false if there is none that no job is working on.
  Result<bool> reduce_deferred(pyrunner::Runner& runner, const std::function<bool()>& enough);
  /// Looks at what deferred reductions that have ended met on their way: findings that belong to no test. To be called
  /// by one job, when no tests run. False if there was nothing to look at.
  Result<bool> keep_late(pyrunner::Runner& runner);
  /// Collects what is stored and unfinished; to be called again when the campaign's tests have ended (`testing` false).
  Status collect_left(bool testing);

  KeptCounts counts() const;
  /// New findings whose confirming was another process's.
  std::uint64_t studied_elsewhere() const;

 private:
  using Origin = CaseRuns::Origin;
  static constexpr int kSlipDepth = CaseRuns::kSlipDepth;

  std::optional<report::FindingRow> next_left();
  Result<TriageDecision> place(const Finding& found, const Origin& origin);
  Status enter(const Finding& found, const Origin& origin);
  report::Cause locate(pyrunner::Runner& runner, Finding& found, const Origin& origin);
  Result<bool> keep_found(pyrunner::Runner& runner, Finding found, const Origin& origin);
  Status look_behind(pyrunner::Runner& runner, const Finding& found, const std::string& like, const Origin& origin);
  Result<bool> tell_apart(pyrunner::Runner& runner, Finding found, report::Cause cause, const std::string& like,
                          const Origin& origin);
  bool bisected_apart(pyrunner::Runner& runner, const Finding& found, const report::ReducedProgram& small,
                      const std::string& same, report::Cause& cause);
  Status confirm_kept(pyrunner::Runner& runner, const Finding& candidate, const Origin& origin);
  Status study(pyrunner::Runner& runner, const Finding& finding, const Origin& origin);
  Status reduce_kept(pyrunner::Runner& runner, const Finding& finding, const Origin& origin);
  static report::ReducedProgram small_of(const std::optional<Piece>& piece, const Finding& finding, std::uint64_t test);
  /// The case needs no reduction after all.
  void forget_ahead(const Finding& found, const Origin& origin);
  Phase phase_of_reducing(const std::string& id) const;
  void count_as_known(const std::string& id);
  Status keep_slips(pyrunner::Runner& runner, const Finding& finding, const Piece& piece, const Origin& origin);
  Result<bool> go_on(pyrunner::Runner& runner, DeferredReductions::Item& item, const std::function<bool()>& enough);
  Status keep_late_of(pyrunner::Runner& runner, DeferredReductions::Item& item);
  Status find_cause(pyrunner::Runner& runner, const Finding& finding, const Origin& origin);
  Result<report::KnownVerdict> known_verdict(pyrunner::Runner& runner, const Finding& finding, const Origin& origin);
  Status compare_late(pyrunner::Runner& runner, const Finding& finding);
  Status count(pyrunner::Runner& runner, const Finding& finding, const Origin& origin);

  const CampaignOptions& options_;
  report::Store& store_;
  const StopCondition& stop_condition_;
  const report::ReproducerOptions versions_;
  const std::function<void(const std::string&)> tell_;
  const std::function<void(const Finding&, const std::string&)> found_;
  std::optional<KnownJudge> known_;
  CaseRuns runs_;

  mutable std::mutex mutex_;  // guards everything below
  FindingIndex finding_index_;
  DeferredReductions deferred_;
  KeptCounts counts_;
  std::uint64_t studied_elsewhere_ = 0;
  /// By finding: seconds of reducing it, charged to Phase::kReduceNew.
  std::map<std::string, double> reduce_seconds_;
  std::map<std::thread::id, std::uint64_t> at_work_on_;
  std::set<std::string> with_verdict_;    // sightings of known bugs whose known.json is there
  std::vector<report::FindingRow> left_;  // of an earlier run of the campaign, the next one last
};

}  // namespace jp::campaign
