// Verdicts from a comparison: the steps that oracles share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oracle/judge/comparison.h"
#include "oracle/judge/oracle.h"
#include "oracle/judge/questions.h"

namespace jp::oracle {

/// A verdict that ends the judging without differences.
Verdict verdict_of(Verdict::Kind kind, RuleName rule, std::string reason);
/// The same as a judgement that wants no further runs.
Judgement decided(Verdict verdict);

/// The judgement if jitprobe's own runtime could not make one of the runs, whichever it is: nothing can be said then.
std::optional<Judgement> judge_broken(const Runs& runs);

/// A remaining difference diverges, between `sides`; else a weak class that the plan reports; else it agrees, or says
/// why there is no agreement. `counters`: those of the run under test; nullptr if it need not have compiled anything.
Verdict conclude(Comparison comparison, const Plan& plan, const Sides& sides, const Counters* counters);

/// Whether the difference is of a weak class that the plan reports.
bool opens(const Plan& plan, const Difference& difference);

/// A verdict if a process of the compiler's died in `observed` and not in eager, or nothing.
std::optional<Verdict> judge_children(const Runs& runs, const Sides& sides);

/// All of judging one program by its plain run and its run under test: endings, repetition, children, comparison.
Judgement judge_pair(const Runs& runs, const Sides& sides);

/// Two runs judged as a plain and a compiled one are, whatever they were; what would be wanted next stands for runs
/// that can't be made. `dead_lines`: as Plan::dead_lines.
Judgement judge_two_runs(Ending reference, Ending observed, std::vector<std::int64_t> dead_lines = {});

/// Two pairs, each a plain run and a run under test, that should show the same ("compiled" with and without switches,
/// the seed's and the mutant's).
struct PairOfPairs {
  Sides one;
  Sides other;
  RuleName alike;      // the verdict's rule if both are off in the same way
  std::string reason;  // and its sentence
  /// The rule of an unstable verdict if the eager runs differ wherever the runs under test do; none: that agrees.
  std::optional<RuleName> apart = std::nullopt;
  /// Whether the pairs run on different devices.
  bool any_device = false;
};

/// Reports a difference between the two runs under test if at least one of them is off its own eager run beyond
/// rounding, and the eager runs don't differ.
Judgement judge_pair_of_pairs(const Runs& runs, const PairOfPairs& pairs);

}  // namespace jp::oracle
