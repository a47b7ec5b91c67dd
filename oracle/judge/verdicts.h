// Verdicts from what was found: the steps that oracles share.
#pragma once

#include <optional>
#include <string>

#include "oracle/judge/comparison.h"
#include "oracle/judge/oracle.h"
#include "oracle/judge/questions.h"

namespace jp::oracle {

/// A verdict that ends the judging without differences.
Verdict verdict_of(Verdict::Kind kind, RuleName rule, std::string reason);
/// The same as a judgement that wants nothing.
Judgement decided(Verdict verdict);

/// The judgement when our own runtime could not make one of the runs, whichever it is: nothing can be said then.
std::optional<Judgement> judge_broken(const Runs& runs);

/// What stands diverges; else a weak class that the plan opens; else agreement, or why there is none. `counters`: those
/// of the run under test; nullptr where it need not have compiled anything.
Verdict conclude(Comparison comparison, const Plan& plan, const Counters* counters);

/// Eager's second run against its first: a verdict when they differ, nothing when they don't or there is no second.
std::optional<Verdict> repeats(const Runs& runs, const Sides& sides);

/// A process of the compiler's that died in `observed` and not in eager: a verdict, or nothing.
std::optional<Verdict> judge_children(const Runs& runs, const Sides& sides);

/// The whole of judging one program by its plain and its observed run: endings, repetition, children, comparison.
Judgement judge_pair(const Runs& runs, const Sides& sides);

/// Two pairs, each a plain run and an observed one, that should show the same ("compiled" with and without switches,
/// the seed's and the mutant's). `names`: what the second differs in, "the mutation".
struct PairOfPairs {
  Sides one;
  Sides other;
  RuleName alike;      // the verdict's rule when both are off in the same way
  std::string reason;  // and its sentence
};

/// Reports a difference between the two observed runs where at least one of them is off its own eager run beyond
/// rounding, and the eager runs don't differ.
Judgement judge_pair_of_pairs(const Runs& runs, const PairOfPairs& square);

}  // namespace jp::oracle
