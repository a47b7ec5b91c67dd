// What runs say of a case: where it first goes wrong, whether it reproduces, what it reduces to, whether it is a known
// bug. Each is a pure function of what is asked and is remembered with the case (CaseMemory), so that it doesn't matter
// when it is asked, and by which process. Nothing of a campaign is decided or stored here.
//
// Shared by all threads; each passes its own runner.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "campaign/common/judging.h"
#include "campaign/common/phases.h"
#include "campaign/common/stop_condition.h"
#include "campaign/known/known_judge.h"
#include "campaign/triage/case.h"
#include "campaign/triage/reduction.h"
#include "campaign/triage/seen.h"
#include "report/evidence.h"
#include "report/known_verdict.h"
#include "report/reproducer.h"

namespace jp::campaign {

class CaseRuns {
 public:
  /// A reduction may slip to another bug. What the reduction of such a slip slips to is looked at, too; what that one
  /// slips to is not, so that chains end.
  static constexpr int kSlipDepth = 2;

  /// The test that a divergence belongs to, the reductions in between (report::Slip), and what is remembered of its
  /// case.
  struct Origin {
    std::uint64_t number = 0;
    report::Slip slip = {};
    CaseMemory* memory = nullptr;
  };

  struct Settings {
    /// Answers of reductions and the folders of runs lie in it: a campaign's, or a temporary one.
    std::string folder;
    /// CampaignOptions::reduce.
    std::int64_t reduce = 0;
    report::ReproducerOptions versions;
    /// Gets what is being done.
    std::function<void(const std::string&)> tell;
  };
  /// `stop_condition` must outlive it.
  CaseRuns(Settings settings, const StopCondition& stop_condition)
      : settings_(std::move(settings)), stop_condition_(stop_condition) {}
  /// To be called before anything is compared with known bugs; `known` must outlive it.
  void know(KnownJudge& known) { known_ = &known; }

  /// Where the program first goes wrong, as a part of the signature by which it is looked up.
  report::Cause locate(pyrunner::Runner& runner, Finding& found, const Origin& origin) const;
  /// The finding confirmed or flaky, with what it depends on.
  Finding confirmed(pyrunner::Runner& runner, const Finding& candidate, const Origin& origin) const;
  /// The campaign's own reduction of a program, as `reducing` says.
  ReducedPiece reduced(pyrunner::Runner& runner, const Finding& finding, Reduction& reducing, Phase phase,
                       const Origin& origin) const;
  /// A program that a reduction met and that diverges, if it does so again.
  std::optional<Divergence> slipped_to(pyrunner::Runner& runner, const Finding& finding, const Program& program,
                                       const Origin& origin) const;
  /// What known bugs explain of it, or nothing if it has to be looked up.
  Explained explain(pyrunner::Runner& runner, const Divergence& met, const Origin& origin) const;
  /// What is to be said of a divergence that reproduced. Nothing if the end came before.
  std::optional<Seen> look_at(pyrunner::Runner& runner, const Divergence& met, const Origin& origin) const;
  /// Of the reduced program, if there is one and it diverges.
  report::Cause measured_cause(pyrunner::Runner& runner, const Finding& finding, const std::optional<Program>& small,
                               bool bisects, const Origin& origin) const;
  /// The comparison with known bugs; nothing if the end came before.
  std::optional<report::KnownVerdict> compared(pyrunner::Runner& runner, const Finding& finding,
                                               const std::optional<Program>& small, const Origin& origin) const;
  /// What remains under that known bug's avoid line.
  std::optional<KnownJudge::Behind> behind(pyrunner::Runner& runner, const std::string& bug, const Finding& found,
                                           const Origin& origin) const;

  /// Makes the runs that deciding a case will most likely ask for, as far as a new finding would be studied. What
  /// breaks an invariant here does so again when the case's turn comes.
  Status study(pyrunner::Runner& runner, const Case& one, const StudyParts& parts, CaseMemory& memory) const;

 private:
  /// The answer that the case's memory has, or a new one. `about`: the program, the signature and the conditions that
  /// it is about.
  template <typename T, typename Ask>
  static T answer(const Origin& origin, const std::string& question, const Finding& about, const Ask& ask) {
    if (!origin.memory) return ask();
    const std::string condition = about.plan.depends_on.empty() ? "" : " under " + about.plan.depends_on;
    return origin.memory->answer<T>(question + condition + " " + about.program.sha256() + " " + about.signature.id(),
                                    ask);
  }

  const Settings settings_;
  const StopCondition& stop_condition_;
  KnownJudge* known_ = nullptr;
};

}  // namespace jp::campaign
