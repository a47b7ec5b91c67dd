// What a flaky difference depends on: one that shows in some runs and not in others.
//
// It is judged again under conditions, the same ones in the same order for every finding: fresh memory filled with
// bytes (unwritten memory then has the same contents in each run), one thread and many, fixed addresses and different
// ones. It depends on what a kind of condition sets if it shows in every run under one of them, in the standalone file
// under that condition too, and if another one of the kind makes it go away. Whether eager agrees with itself is part
// of each judgement; in addition, all eager runs under the conditions of one kind must agree with each other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "campaign/common/judging.h"
#include "core/verdict.h"
#include "pyrunner/standalone.h"
#include "report/reproducer.h"

namespace jp::campaign {

/// Judgements under one condition at most (chosen, not measured).
inline constexpr int kTrials = 5;
/// The most of kTrials unconditioned runs in which a difference may show when a kind of condition that can't make it go
/// away is still taken as what it depends on.
inline constexpr int kSeldom = 3;

struct Condition {
  std::string name;        // "every fresh byte is 0x4b", "8 threads", "fixed addresses"
  std::string depends_on;  // the kind, as in Plan::depends_on
  oracle::PlanOptions options;
  bool new_interpreters = false;  // each run in an interpreter of its own, whose addresses are different each time
};

/// All conditions, in the order in which they are tried.
std::vector<Condition> conditions_for(const oracle::PlanOptions& options);

/// How trials are made.
struct Trying {
  /// One judgement, each planned run in a fresh process; briefly (PlanOptions::brief) or in full.
  std::function<JudgedProgram(const Condition&)> judge;
  /// The exit status of the finding's standalone file.
  std::function<int(const Finding&)> standalone;
  std::function<bool()> given_up;
};

/// Trials with a runner, an oracle and a way to run files, all of which must outlive it.
Trying trying(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
              const pyrunner::Standalone& standalone, const report::ReproducerOptions& versions);

/// Returns a flaky finding with its trials: confirmed under a condition, which is then in its plan and named by its
/// reason; or still flaky, with how often it showed without conditions (a hang is only tried like this). When given up
/// on the way it is a candidate again. Makes at most (1 + conditions) * kTrials judgements and as many standalone runs
/// as there are conditions.
Finding diagnose(const Finding& flaky, const Trying& trying);

/// The options with the condition of a plan that was made from them.
oracle::PlanOptions with_condition(oracle::PlanOptions options, const Plan& plan);

/// Judges what a batch saw (`first`) again with each planned run in a fresh process; if it doesn't reproduce, also with
/// memory filled: the child that a batch shares holds what earlier programs left, a fresh one mostly zeros. Returns the
/// judgement under the first condition that shows it in the same way, else the one without a condition.
JudgedProgram judge_again(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                          const oracle::PlanOptions& options, const JudgedProgram& first);

/// "as it is 2 of 5, every fresh byte is 0x4b 0 of 5, …"; "" without trials.
std::string trials_text(const std::vector<Trial>& trials);

}  // namespace jp::campaign
