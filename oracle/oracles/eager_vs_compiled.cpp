// The first oracle: the same program with and without the compiler.
//
// The order of judging, cheapest first, each step only where the one before has left something open:
//   1. eager did not finish: rejected. The compiled run died, hung, grew or could not be made: that is the difference.
//   2. All that the two runs show is compared: bits, then torch.testing's tolerances.
//   3. A difference that is left asks for eager a second time (eager against itself differs: unstable) and, where
//      rounding could explain it, for eager in float64.
//   4. What no step explains diverges. Agreement in which nothing was compiled is vacuous.
#include <fmt/format.h>

#include <algorithm>

#include "oracle/compare.h"
#include "oracle/endings.h"
#include "oracle/oracle.h"

namespace jp::oracle {
namespace {

RunRequest eager_run(const std::string& role, const PlanOptions& options) {
  RunRequest run;
  run.role = role;
  run.gradients = options.gradients;
  run.threads = options.threads;
  return run;
}

// A further run of the same kind as the plan's eager one.
RunRequest like_eager(const Plan& plan, const std::string& role, const std::string& precision) {
  RunRequest run;
  for (const RunRequest& planned : plan.runs)
    if (planned.role == "eager") run = planned;
  run.role = role;
  run.precision = precision;
  return run;
}

const Outcome* find(const std::vector<Outcome>& outcomes, std::string_view role) {
  for (const Outcome& outcome : outcomes)
    if (outcome.role == role) return &outcome;
  return nullptr;
}

const Finished* finished(const Outcome* outcome) { return outcome ? std::get_if<Finished>(&outcome->ending) : nullptr; }

// The runs of the plan that have no outcome yet.
std::vector<RunRequest> missing(const Plan& plan, const std::vector<Outcome>& outcomes) {
  std::vector<RunRequest> runs;
  for (const RunRequest& run : plan.runs)
    if (!find(outcomes, run.role)) runs.push_back(run);
  return runs;
}

// Why an agreement shows nothing, or "". A compiler that met the program's own exception while it traced has compiled
// no frame and has still done its work: it raised as eager did.
std::string vacuous(const Counters& counters, bool both_raised) {
  if (!counters.known) return "";
  if (counters.recompile_limit_hits > 0) return "the recompile limit sent the program back to eager";
  const bool tried = both_raised && counters.frames_seen > 0;
  if (counters.frames_compiled == 0 && counters.graphs == 0 && !tried) return "nothing was compiled";
  return "";
}

Verdict unstable(std::string rule, std::string reason) {
  return {Verdict::Kind::kUnstable, std::move(rule), std::move(reason), {}, {}};
}

// Eager against itself; nothing when it repeats.
std::optional<Verdict> repeats(const Finished& eager, const Outcome& again) {
  const Finished* second = finished(&again);
  if (!second)
    return unstable("eager_differs",
                    fmt::format("eager finished once; a second time it {}", describe_ending(again.ending)));
  const Comparison comparison = compare(eager.observation, second->observation, nullptr);
  if (comparison.strong.empty()) return std::nullopt;
  const Difference& first = comparison.strong.front().difference;
  return unstable("eager_differs", fmt::format("eager differs from itself at {}: first {}, then {}",
                                               place(first.call, first.where), first.reference, first.observed));
}

Verdict diverge(Comparison comparison) {
  // The earliest call first, since later ones may only follow from it; in it the worst class.
  std::stable_sort(comparison.strong.begin(), comparison.strong.end(), [](const Mark& one, const Mark& other) {
    if (one.difference.call != other.difference.call) return one.difference.call < other.difference.call;
    return one.difference.mismatch < other.difference.mismatch;
  });
  Verdict verdict;
  verdict.kind = Verdict::Kind::kDiverge;
  verdict.rule = comparison.strong.front().rule;
  verdict.reason = comparison.strong.front().sentence;
  for (Mark& mark : comparison.strong) verdict.differences.push_back(std::move(mark.difference));
  verdict.weak = std::move(comparison.weak);
  return verdict;
}

Verdict agree(Comparison comparison, const Counters& counters) {
  Verdict verdict;
  verdict.weak = std::move(comparison.weak);
  if (comparison.refused) {
    verdict.rule = "expected_refusal";
    verdict.reason = "the backend refuses a call, as it declares";
    return verdict;
  }
  if (std::string reason = vacuous(counters, comparison.both_raised); !reason.empty()) {
    verdict.kind = Verdict::Kind::kVacuous;
    verdict.rule = "vacuous";
    verdict.reason = std::move(reason);
    return verdict;
  }
  if (!comparison.unstable.empty()) {
    verdict.kind = Verdict::Kind::kUnstable;
    verdict.rule = "precision";
    verdict.reason = fmt::format("{} was not compared: there eager in float64 is no witness for eager itself",
                                 comparison.unstable.front());
    return verdict;
  }
  switch (comparison.agreement) {
    case Agreement::kBitwise:
      verdict.rule = comparison.both_raised ? "both_raise" : "bitwise";
      verdict.reason = comparison.both_raised ? "both sides raise in the same phase" : "the same, bit for bit";
      break;
    case Agreement::kTolerance:
      verdict.rule = "tolerance";
      verdict.reason = "the same within the default tolerance of the type";
      break;
    case Agreement::kFloat64:
      verdict.rule = "float64";
      verdict.reason = "rounding: the compiled run is as near to the float64 run as eager is";
      break;
    case Agreement::kEagerWrong:
      verdict.rule = "eager_wrong";
      verdict.reason = "the compiled run agrees with the float64 run, eager does not";
      break;
  }
  return verdict;
}

class EagerVsCompiled final : public Oracle {
 public:
  std::string_view name() const override { return "eager_vs_compiled"; }

  Plan plan(const Program& /*program*/, const PlanOptions& options) const override {
    Plan plan;
    plan.oracle = name();
    plan.runs.push_back(eager_run("eager", options));
    if (options.full) plan.runs.push_back(eager_run("eager_again", options));
    RunRequest compiled = eager_run("compiled", options);
    compiled.compiled = true;
    compiled.backend = options.backend;
    plan.runs.push_back(compiled);
    return plan;
  }

  Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
    const Outcome* eager = find(outcomes, "eager");
    if (!eager) return {{}, missing(plan, outcomes)};
    if (auto verdict = judge_eager_ending(*eager)) return {*verdict, {}};
    const Outcome* again = find(outcomes, "eager_again");
    if (again)
      if (auto verdict = repeats(*finished(eager), *again)) return {*verdict, {}};
    const Outcome* compiled = find(outcomes, "compiled");
    if (!compiled) return {{}, missing(plan, outcomes)};
    if (auto verdict = judge_compiled_ending(*compiled)) return {*verdict, {}};
    return judge_observations(plan, outcomes, again != nullptr);
  }

 private:
  static Judgement judge_observations(const Plan& plan, const std::vector<Outcome>& outcomes, bool has_again) {
    const Finished& eager = *finished(find(outcomes, "eager"));
    const Finished& compiled = *finished(find(outcomes, "compiled"));
    const Outcome* float64 = find(outcomes, "float64");
    const Finished* reference = finished(float64);
    Comparison comparison =
        compare(eager.observation, compiled.observation, reference ? &reference->observation : nullptr);
    if (comparison.strong.empty()) return {agree(std::move(comparison), compiled.counters), {}};
    Judgement judgement;
    if (!has_again) judgement.wanted.push_back(like_eager(plan, "eager_again", "native"));
    if (!float64 && comparison.asks_float64()) judgement.wanted.push_back(like_eager(plan, "float64", "float64"));
    if (judgement.wanted.empty()) judgement.verdict = diverge(std::move(comparison));
    return judgement;
  }
};

const Register<Oracle, EagerVsCompiled> registered;

}  // namespace
}  // namespace jp::oracle
