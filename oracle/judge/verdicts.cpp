#include "oracle/judge/verdicts.h"

#include <fmt/format.h>

#include <algorithm>

#include "oracle/judge/compare.h"
#include "oracle/judge/endings.h"
#include "oracle/judge/repetition.h"

namespace jp::oracle {
namespace {

// Why an agreement shows nothing, or "". A compiler that met the program's own exception while it traced has compiled
// no frame and has still done its work: it raised as eager did.
std::string vacuous(const Counters& counters, bool both_raised) {
  if (!counters.known) return "";
  if (counters.recompile_limit_hits > 0) return "the recompile limit sent the program back to eager";
  const bool tried = both_raised && counters.frames_seen > 0;
  if (counters.frames_compiled == 0 && counters.graphs == 0 && !tried) return "nothing was compiled";
  return "";
}

// The earliest call first, since later differences may only follow from it; within a call the worst class.
bool leads(const Difference& one, const Difference& other) {
  if (one.call != other.call) return one.call < other.call;
  return one.mismatch < other.mismatch;
}

Verdict diverge(Comparison comparison) {
  std::stable_sort(comparison.strong.begin(), comparison.strong.end(),
                   [](const Mark& one, const Mark& other) { return leads(one.difference, other.difference); });
  Verdict verdict;
  verdict.kind = Verdict::Kind::kDiverge;
  verdict.rule = comparison.strong.front().rule.str();
  verdict.reason = comparison.strong.front().sentence;
  for (Mark& mark : comparison.strong)
    if (verdict.differences.size() < kLimits.kept_differences)
      verdict.differences.push_back(std::move(mark.difference));
  verdict.weak = std::move(comparison.weak);
  verdict.decisions = std::move(comparison.decisions);
  return verdict;
}

std::string sentence_of(const Comparison& comparison) {
  const RuleName rule = comparison.agreement;
  if (rule == RuleName("bitwise"))
    return comparison.both_raised ? "both sides raise in the same phase" : "the same, bit for bit";
  if (rule == RuleName("tolerance")) return "the same within the default tolerance of the type";
  if (rule == RuleName("float64")) return "rounding: the compiled run is as near to the float64 run as eager is";
  if (rule == RuleName("float32")) return "rounding: the compiled run is as near to the float32 run as eager is";
  if (rule == RuleName("eager_wrong")) return "the compiled run agrees with the float64 run, eager does not";
  return std::string(find_rule(rule.text())->sentence);
}

bool opens_any(const Plan& plan, const Comparison& comparison) {
  return std::any_of(comparison.weak.begin(), comparison.weak.end(),
                     [&](const Difference& difference) { return opens(plan, difference); });
}

// Weak differences that the plan reports become the verdict's.
Verdict diverge_weakly(Comparison comparison, const Plan& plan) {
  Verdict verdict;
  verdict.kind = Verdict::Kind::kDiverge;
  for (Difference& difference : comparison.weak)
    (opens(plan, difference) ? verdict.differences : verdict.weak).push_back(std::move(difference));
  std::stable_sort(verdict.differences.begin(), verdict.differences.end(), leads);
  const Difference& first = verdict.differences.front();
  verdict.rule = mismatch_name(first.mismatch);
  verdict.reason = fmt::format("{}: {}, against {}", place(first.call, first.where), first.reference, first.observed);
  verdict.decisions = std::move(comparison.decisions);
  return verdict;
}

bool is_place_below(const std::string& one, const std::string& other) { return one.starts_with(other); }

bool marks_place(const Comparison& comparison, const Difference& difference) {
  return std::any_of(comparison.strong.begin(), comparison.strong.end(), [&](const Mark& mark) {
    const Difference& other = mark.difference;
    return other.call == difference.call &&
           (is_place_below(other.where, difference.where) || is_place_below(difference.where, other.where));
  });
}

void append(std::vector<RunRequest>& to, std::vector<RunRequest> from) {
  for (RunRequest& run : from) {
    const bool there =
        std::any_of(to.begin(), to.end(), [&](const RunRequest& other) { return other.role == run.role; });
    if (!there) to.push_back(std::move(run));
  }
}

// What both pairs differ in, as far as one of them is off its own eager run; `apart`: whether something was left out
// because the eager runs differ there too.
struct Between {
  Comparison comparison;
  bool apart = false;
};

Between between_pairs(const Runs& runs, const PairOfPairs& pairs, const Comparison& one, const Comparison& other) {
  // Rounding has been checked on both sides; here only the two runs are compared.
  ControlRuns controls;
  controls.reference = pairs.one.observed;
  controls.plain_reference = false;
  controls.observed = pairs.other.observed;
  controls.any_device = pairs.any_device;
  Between between{compare(runs.finished(pairs.one.observed)->observation,
                          runs.finished(pairs.other.observed)->observation, controls)};
  ControlRuns of_eager;
  of_eager.any_device = pairs.any_device;
  const Comparison plain =
      compare(runs.finished(pairs.one.eager)->observation, runs.finished(pairs.other.eager)->observation, of_eager);
  std::erase_if(between.comparison.strong, [&](const Mark& mark) {
    if (!marks_place(one, mark.difference) && !marks_place(other, mark.difference)) return true;
    const bool apart = marks_place(plain, mark.difference);
    between.apart = between.apart || apart;
    return apart;
  });
  return between;
}

// The endings of two runs under test: nothing if both finished.
std::optional<Verdict> judge_two_endings(const Runs& runs, const PairOfPairs& pairs) {
  std::optional<Verdict> one = judge_compiled_ending(*runs.outcome(pairs.one.observed), pairs.one);
  std::optional<Verdict> other = judge_compiled_ending(*runs.outcome(pairs.other.observed), pairs.other);
  for (std::optional<Verdict>* verdict : {&one, &other})
    if (*verdict && (*verdict)->kind != Verdict::Kind::kDiverge) return *verdict;
  if (one && other && one->rule == other->rule) return verdict_of(Verdict::Kind::kAgree, pairs.alike, pairs.reason);
  return other ? other : one;
}

// What one of the two runs under test lost and the other did not.
std::optional<Verdict> judge_lost_children(const Runs& runs, const PairOfPairs& pairs) {
  std::optional<Verdict> one = judge_children(runs, pairs.one);
  std::optional<Verdict> other = judge_children(runs, pairs.other);
  if (one && other && one->differences.front().observed == other->differences.front().observed) return std::nullopt;
  return one ? one : other;
}

}  // namespace

Verdict verdict_of(Verdict::Kind kind, RuleName rule, std::string reason) {
  Verdict verdict;
  verdict.kind = kind;
  verdict.rule = rule.str();
  verdict.reason = std::move(reason);
  return verdict;
}

Judgement decided(Verdict verdict) { return {std::move(verdict), {}}; }

std::optional<Judgement> judge_broken(const Runs& runs) {
  const Outcome* broken = runs.broken();
  return broken ? std::optional(decided(*judge_broken_ending(*broken))) : std::nullopt;
}

Verdict conclude(Comparison comparison, const Plan& plan, const Sides& sides, const Counters* counters) {
  if (!comparison.strong.empty()) return named(diverge(std::move(comparison)), sides);
  if (opens_any(plan, comparison)) return named(diverge_weakly(std::move(comparison), plan), sides);
  if (!comparison.incomparable.empty())
    return verdict_of(Verdict::Kind::kRejected, "incomparable", comparison.incomparable);
  Verdict verdict;
  const std::string empty = counters ? vacuous(*counters, comparison.both_raised) : "";
  if (comparison.refused) {
    verdict = verdict_of(Verdict::Kind::kAgree, "expected_refusal", "the backend refuses a call, as it declares");
  } else if (!empty.empty()) {
    verdict = verdict_of(Verdict::Kind::kVacuous, "vacuous", empty);
  } else if (!comparison.unstable.empty()) {
    const Unstable& first = comparison.unstable.front();
    verdict = verdict_of(Verdict::Kind::kUnstable, first.rule,
                         fmt::format("{} was not compared: {}", first.place, find_rule(first.rule.text())->sentence));
  } else {
    const bool raised = comparison.both_raised && comparison.agreement == RuleName("bitwise");
    verdict = verdict_of(Verdict::Kind::kAgree, raised ? RuleName("both_raise") : comparison.agreement,
                         sentence_of(comparison));
  }
  verdict.weak = std::move(comparison.weak);
  verdict.decisions = std::move(comparison.decisions);
  return verdict;
}

bool opens(const Plan& plan, const Difference& difference) {
  if (!is_weak(difference.mismatch)) return false;
  const std::string_view name = mismatch_name(difference.mismatch);
  return std::find(plan.report.begin(), plan.report.end(), name) != plan.report.end();
}

std::optional<Verdict> judge_children(const Runs& runs, const Sides& sides) {
  const Finished* eager = runs.finished(sides.eager);
  const Finished* observed = runs.finished(sides.observed);
  if (!observed) return std::nullopt;
  for (const std::string& child : observed->lost_children) {
    const bool its_own = eager && std::find(eager->lost_children.begin(), eager->lost_children.end(), child) !=
                                      eager->lost_children.end();
    if (its_own) continue;
    Verdict verdict =
        verdict_of(Verdict::Kind::kDiverge, "lost_children",
                   fmt::format("the {} run lost a process that it had started: {}", sides.observed, child));
    verdict.differences = {{Mismatch::kDeath, 0, "child", "all its processes ended well", child, {}, "child " + child}};
    return named(std::move(verdict), sides);
  }
  return std::nullopt;
}

Judgement judge_pair(const Runs& runs, const Sides& sides) {
  if (auto broken = judge_broken(runs)) return *broken;
  const Outcome* eager = runs.outcome(sides.eager);
  if (!eager) return {{}, runs.missing()};
  if (auto verdict = judge_eager_ending(*eager)) return decided(*verdict);
  if (auto judgement = judge_repetition(runs, sides)) return *judgement;
  const Outcome* observed = runs.outcome(sides.observed);
  if (!observed) return {{}, runs.missing()};
  if (auto verdict = judge_compiled_ending(*observed, sides)) return decided(*verdict);
  if (auto verdict = judge_children(runs, sides)) return decided(*verdict);
  ComparisonRound compared = compare_with_controls(runs, sides);
  if (compared.wanted.empty() && opens_any(runs.plan(), compared.comparison))
    compared.wanted = runs.unanswered({again_request(runs, sides)});
  if (!compared.wanted.empty()) return {{}, std::move(compared.wanted)};
  return decided(
      conclude(std::move(compared.comparison), runs.plan(), sides, &runs.finished(sides.observed)->counters));
}

Judgement judge_two_runs(Ending reference, Ending observed, std::vector<std::int64_t> dead_lines) {
  const Sides sides;
  Plan plan{.runs = {{.role = sides.reference}, {.role = sides.observed, .compiled = true}}};
  plan.dead_lines = std::move(dead_lines);
  const std::vector<Outcome> outcomes = {{sides.reference, std::move(reference)},
                                         {sides.observed, std::move(observed)}};
  return judge_pair(Runs(plan, outcomes), sides);
}

Judgement judge_pair_of_pairs(const Runs& runs, const PairOfPairs& pairs) {
  if (auto broken = judge_broken(runs)) return *broken;
  for (const Sides* sides : {&pairs.one, &pairs.other}) {
    const Outcome* eager = runs.outcome(sides->eager);
    if (!eager) return {{}, runs.missing()};
    if (auto verdict = judge_eager_ending(*eager)) return decided(*verdict);
    if (auto judgement = judge_repetition(runs, *sides)) return *judgement;
  }
  if (auto wanted = runs.missing(); !wanted.empty()) return {{}, std::move(wanted)};
  if (auto verdict = judge_two_endings(runs, pairs)) return decided(*verdict);
  if (auto verdict = judge_lost_children(runs, pairs)) return decided(*verdict);
  ComparisonRound one = compare_with_controls(runs, pairs.one);
  ComparisonRound other = compare_with_controls(runs, pairs.other);
  std::vector<RunRequest> wanted = std::move(one.wanted);
  append(wanted, std::move(other.wanted));
  if (!wanted.empty()) return {{}, std::move(wanted)};
  const Counters& counters = runs.finished(pairs.other.observed)->counters;
  if (one.comparison.strong.empty() && other.comparison.strong.empty())
    return decided(conclude(std::move(other.comparison), runs.plan(), pairs.other, &counters));

  Between between = between_pairs(runs, pairs, one.comparison, other.comparison);
  if (between.comparison.strong.empty()) {
    // If only one run under test is off its eager run, and they are alike, the eager runs are not.
    const bool apart = between.apart || one.comparison.strong.empty() || other.comparison.strong.empty();
    Verdict verdict = apart && pairs.apart ? verdict_of(Verdict::Kind::kUnstable, *pairs.apart,
                                                        std::string(find_rule(pairs.apart->text())->sentence))
                                           : verdict_of(Verdict::Kind::kAgree, pairs.alike, pairs.reason);
    verdict.decisions = std::move(other.comparison.decisions);
    return decided(std::move(verdict));
  }
  const Sides observed{.reference = pairs.one.observed, .observed = pairs.other.observed};
  return decided(conclude(std::move(between.comparison), runs.plan(), observed, &counters));
}

}  // namespace jp::oracle
