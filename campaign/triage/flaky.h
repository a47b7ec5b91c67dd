// What a difference depends on that shows in some runs and not in others.
//
// It is judged again under conditions, the same ones in the same order for every finding: fresh memory filled with
// bytes (what nobody wrote is then the same in each run), one thread and many, fixed addresses and other ones. It
// depends on what a kind of condition sets when it shows in every run under one of them, in the standalone file under
// that condition too, and when another one of the kind makes it go away. The standing of eager is part of each
// judgement; beside that, all eager runs under the conditions of one kind must agree with each other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "campaign/common/judging.h"
#include "core/verdict.h"
#include "pyrunner/standalone.h"
#include "report/reproducer.h"

namespace jp::campaign {

/// Judgements under one condition at most.
inline constexpr int kTrials = 5;
/// As it is, a difference shows in at most this many of kTrials when one that a kind of condition can't make go away is
/// said to depend on that kind all the same.
inline constexpr int kSeldom = 3;

struct Condition {
  std::string name;        // "every fresh byte is 0x4b", "8 threads", "fixed addresses"
  std::string depends_on;  // the kind, as Plan::depends_on
  oracle::PlanOptions options;
  bool new_interpreters = false;  // each run in an interpreter of its own, whose addresses are others each time
};

/// All of them, in the order in which they are tried.
std::vector<Condition> conditions_for(const oracle::PlanOptions& options);

/// How trials are made.
struct Trying {
  /// One judgement, each planned run in a fresh process; briefly (PlanOptions::brief) or in full.
  std::function<JudgedProgram(const Condition&)> judge;
  /// The exit status of the finding's standalone file.
  std::function<int(const Finding&)> standalone;
  std::function<bool()> given_up;
};

/// With a runner, an oracle and a way to run files, all of which must outlive it.
Trying trying(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
              const pyrunner::Standalone& standalone, const report::ReproducerOptions& versions);

/// A flaky finding with its trials: confirmed under a condition, which is then in its plan and named by its reason; or
/// still flaky, with how often it showed as it is (all that is asked of a hang). Given up on the way it is a candidate
/// again. At most (1 + conditions) * kTrials judgements and as many standalone runs as there are conditions.
Finding diagnose(const Finding& flaky, const Trying& trying);

/// The options with the condition of a plan that was made from them.
oracle::PlanOptions with_condition(oracle::PlanOptions options, const Plan& plan);

/// What a batch saw (`first`), judged again with each planned run in a fresh process; and where it is gone then, with
/// memory filled: the child that a batch has in common holds what earlier programs left, a fresh one mostly zeros. The
/// judgement under the first condition that shows it in the same way, else the one without a condition.
JudgedProgram judge_again(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                          const oracle::PlanOptions& options, const JudgedProgram& first);

/// "as it is 2 of 5, every fresh byte is 0x4b 0 of 5, …"; "" without trials.
std::string trials_text(const std::vector<Trial>& trials);

}  // namespace jp::campaign
