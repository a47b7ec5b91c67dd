#include "campaign/triage/flaky.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "campaign/common/confirm.h"
#include "campaign/common/phases.h"
#include "oracle/judge/compare.h"
#include "oracle/judge/compared_runs.h"
#include "oracle/judge/condition.h"
#include "oracle/signature/signature.h"

namespace jp::campaign {
namespace {

// The values for MALLOC_PERTURB_: fresh memory holds the complement. 0x4b and 0xc5 are large in every type of number;
// the last one gives zeroed memory, which most unwritten reads happen to see.
constexpr std::int64_t kFills[] = {0xB4, 0x3A, 0xFF};
constexpr int kThreadCounts[] = {1, 2, 8};

Condition named(Condition condition) {
  RunRequest run;
  run.memory_fill = condition.options.memory_fill;
  run.threads = condition.options.threads;
  run.fixed_addresses = condition.options.fixed_addresses;
  condition.name = condition.new_interpreters ? "other addresses" : oracle::setting_text(run);
  if (condition.name.empty()) condition.name = "one thread";
  return condition;
}

// What was seen under one condition.
struct ShownUnder {
  const Condition* condition = nullptr;
  int shown = 0;
  int tried = 0;
  std::vector<Observation> eager;        // of each judgement in which eager finished
  std::vector<JudgedProgram> diverging;  // the last diverging judgement only

  bool always() const { return shown == kTrials; }
  bool never() const { return tried == kTrials && shown == 0; }
  bool seldom() const { return shown < tried && shown <= kSeldom && tried - shown >= kTrials - kSeldom; }
  bool at_times() const { return shown > 0 && shown < tried; }
};

const Observation* eager_of(const JudgedProgram& judged) {
  const Finished* eager = oracle::plain_outcome(judged.plan, judged.outcomes);
  return eager ? &eager->observation : nullptr;
}

bool agree(const Observation& one, const Observation& other) {
  const oracle::Comparison comparison = oracle::compare(one, other);
  return std::all_of(comparison.strong.begin(), comparison.strong.end(),
                     [](const oracle::Mark& mark) { return mark.difference.where == "mode.threads"; });
}

// The plan without the condition under which the difference was first seen, if it showed only there.
oracle::PlanOptions as_it_is(const Plan& plan) {
  oracle::PlanOptions options = plan_options_of(plan);
  options.depends_on.clear();
  options.memory_fill = 0;
  options.fixed_addresses = false;
  return options;
}

class Diagnosis {
 public:
  Diagnosis(const Finding& flaky, const Trying& trying)
      : flaky_(flaky),
        trying_(trying),
        expected_(oracle::current_signature(flaky)),
        plain_condition_{.name = "as it is", .depends_on = "", .options = as_it_is(flaky.plan)},
        conditions_(conditions_for(plain_condition_.options)) {}

  Finding run() {
    if (hangs(flaky_) && flaky_.attempts == 0) {
      trials_.push_back({"the standalone file", 0, 1});
      return unexplained();
    }
    plain_ = tried(plain_condition_, Question::kHowOften, flaky_.reproduced, flaky_.attempts);
    if (plain_.always()) {
      if (std::optional<Finding> confirmed = as_it_always_is()) return *confirmed;
      trials_.push_back({"the standalone file", 0, 1});
    }
    if (takes_long()) return trying_.given_up() ? cut_off() : unexplained();
    for (std::size_t at = 0; at < conditions_.size() && !trying_.given_up();) {
      const std::string& kind = conditions_[at].depends_on;
      std::vector<ShownUnder> of_kind;
      for (; at < conditions_.size() && conditions_[at].depends_on == kind && !trying_.given_up(); ++at)
        of_kind.push_back(tried(conditions_[at], asked_of(conditions_[at]), 0, 0));
      if (trying_.given_up()) break;
      if (std::optional<Finding> confirmed = explained(of_kind)) return *confirmed;
    }
    return trying_.given_up() ? cut_off() : unexplained();
  }

 private:
  // For most conditions only "always" and "never" are conclusive, so a difference that shows sometimes is not judged
  // further.
  enum class Question { kHowOften, kAlwaysOrNever };
  static Question asked_of(const Condition& condition) {
    return condition.new_interpreters ? Question::kHowOften : Question::kAlwaysOrNever;
  }
  bool settled(const ShownUnder& seen, Question asked) const {
    if (seen.tried == kTrials) return true;
    // What never shows without a condition is explained by one under which it always shows, and by nothing else.
    if (asked == Question::kAlwaysOrNever) return seen.at_times() || (plain_.never() && seen.shown < seen.tried);
    return seen.shown > 0 && seen.tried - seen.shown >= kTrials - kSeldom;
  }

  ShownUnder tried(const Condition& condition, Question asked, int shown, int tried) {
    ShownUnder seen{.condition = &condition, .shown = shown, .tried = tried, .eager = {}, .diverging = {}};
    while (!settled(seen, asked) && !trying_.given_up()) {
      Condition now = condition;
      // If it shows each time, it is judged in full before anything is said of it.
      now.options.brief = seen.shown + 1 < kTrials;
      JudgedProgram judged = trying_.judge(now);
      ++seen.tried;
      if (const Observation* eager = eager_of(judged)) seen.eager.push_back(*eager);
      if (judged.verdict.kind != Verdict::Kind::kDiverge || !oracle::diverges_alike(judged.signature, expected_))
        continue;
      ++seen.shown;
      seen.diverging = {std::move(judged)};
    }
    trials_.push_back({condition.name, seen.shown, seen.tried});
    return seen;
  }

  Finding confirmed_by(const ShownUnder& seen) const {
    Finding finding = candidate(flaky_.program, seen.diverging.front());
    finding.signature = flaky_.signature;
    finding.status = Finding::Status::kConfirmed;
    finding.reproduced = seen.shown;
    finding.attempts = seen.tried;
    return finding;
  }

  // First seen under a condition, but shown each time without it.
  std::optional<Finding> as_it_always_is() {
    if (plain_.diverging.empty() || flaky_.reproduced == kConfirmations) return std::nullopt;
    Finding finding = confirmed_by(plain_);
    if (trying_.standalone(finding) == 1 && !trying_.given_up()) return finding;
    return std::nullopt;
  }

  // Each of these runs takes up its whole time limit.
  bool takes_long() const {
    const std::vector<Difference>& differences = flaky_.verdict.differences;
    return hangs(flaky_) || (!differences.empty() && differences.front().mismatch == Mismatch::kMemory);
  }

  // Whether the kind decides: another of its conditions makes the difference go away, or it shows under all of them and
  // rarely without.
  bool decides(const std::vector<ShownUnder>& of_kind) const {
    const bool goes = plain_.never() ||
                      std::any_of(of_kind.begin(), of_kind.end(), [](const ShownUnder& seen) { return seen.never(); });
    const bool of_memory = of_kind.front().condition->depends_on == oracle::kUnwrittenMemory;
    const bool all = std::all_of(of_kind.begin(), of_kind.end(), [](const ShownUnder& seen) { return seen.always(); });
    if (goes) return true;
    if (of_memory) return all && plain_.seldom();
    // Addresses that change each time are not a condition that can make it go away for good.
    return of_kind.front().condition->depends_on == oracle::kAddresses && of_kind.back().seldom();
  }

  bool eager_agrees(const std::vector<ShownUnder>& of_kind) const {
    std::vector<const Observation*> all;
    for (const Observation& eager : plain_.eager) all.push_back(&eager);
    for (const ShownUnder& seen : of_kind)
      for (const Observation& eager : seen.eager) all.push_back(&eager);
    return std::all_of(all.begin(), all.end(), [&](const Observation* eager) { return agree(*all.front(), *eager); });
  }

  std::optional<Finding> explained(const std::vector<ShownUnder>& of_kind) {
    if (!decides(of_kind) || !eager_agrees(of_kind)) return std::nullopt;
    for (const ShownUnder& seen : of_kind) {
      if (!seen.always() || seen.diverging.empty() || seen.condition->new_interpreters) continue;
      Finding finding = confirmed_by(seen);
      finding.trials = trials_;
      finding.verdict.reason = oracle::condition_text(finding.plan) + ": " + finding.verdict.reason;
      if (trying_.standalone(finding) == 1) return finding;
      trials_.push_back({"the standalone file, " + seen.condition->name, 0, 1});
      if (trying_.given_up()) return cut_off();
    }
    return std::nullopt;
  }

  Finding unexplained() const {
    Finding finding = flaky_;
    finding.reproduced = plain_.shown;
    finding.attempts = plain_.tried;
    finding.trials = trials_;
    return finding;
  }

  Finding cut_off() const {
    Finding finding = flaky_;
    finding.status = Finding::Status::kCandidate;
    finding.reproduced = finding.attempts = 0;
    return finding;
  }

  const Finding& flaky_;
  const Trying& trying_;
  const Signature expected_;
  const Condition plain_condition_;
  const std::vector<Condition> conditions_;
  ShownUnder plain_;
  std::vector<Trial> trials_;
};

}  // namespace

std::vector<Condition> conditions_for(const oracle::PlanOptions& options) {
  std::vector<Condition> conditions;
  const auto add = [&](std::string_view kind, auto set) {
    Condition condition{.name = "", .depends_on = std::string(kind), .options = options};
    condition.options.depends_on = kind;
    set(condition);
    conditions.push_back(named(std::move(condition)));
  };
  for (const std::int64_t fill : kFills)
    add(oracle::kUnwrittenMemory, [&](Condition& condition) { condition.options.memory_fill = fill; });
  for (const int threads : kThreadCounts)
    if (threads != options.threads)
      add(oracle::kThreads, [&](Condition& condition) { condition.options.threads = threads; });
  add(oracle::kAddresses, [&](Condition& condition) { condition.options.fixed_addresses = true; });
  add(oracle::kAddresses, [&](Condition& condition) { condition.new_interpreters = true; });
  return conditions;
}

Trying trying(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
              const pyrunner::Standalone& standalone, const report::ReproducerOptions& versions) {
  return {.judge =
              [&runner, &oracle, &program](const Condition& condition) {
                oracle::PlanOptions options = condition.options;
                options.full = true;
                const auto isolation =
                    condition.new_interpreters ? pyrunner::Isolation::kExec : pyrunner::Isolation::kFresh;
                return judge(runner, oracle, program, options, isolation);
              },
          .standalone =
              [&standalone, &versions](const Finding& finding) {
                return pyrunner::run_standalone(standalone, report::reproducer(finding, versions));
              },
          .given_up = [&standalone] { return standalone.given_up && standalone.given_up(); }};
}

oracle::PlanOptions with_condition(oracle::PlanOptions options, const Plan& plan) {
  if (plan.depends_on.empty()) return options;
  const oracle::PlanOptions made = plan_options_of(plan);
  options.depends_on = made.depends_on;
  options.memory_fill = made.memory_fill;
  options.threads = made.threads;
  options.fixed_addresses = made.fixed_addresses;
  return options;
}

JudgedProgram judge_again(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                          const oracle::PlanOptions& options, const JudgedProgram& first) {
  JudgedProgram alone = judge_alone(runner, oracle, program, options);
  for (const Condition& condition : conditions_for(options)) {
    if (alone.verdict.kind != Verdict::Kind::kAgree) break;
    if (condition.depends_on != oracle::kUnwrittenMemory) continue;
    JudgedProgram filled = judge_alone(runner, oracle, program, condition.options);
    if (filled.verdict.kind == Verdict::Kind::kDiverge && oracle::diverges_alike(filled.signature, first.signature))
      return filled;
  }
  return alone;
}

Finding diagnose(const Finding& flaky, const Trying& trying) {
  const PhaseScope phase(Phase::kConfirm);
  return Diagnosis(flaky, trying).run();
}

std::string trials_text(const std::vector<Trial>& trials) {
  std::vector<std::string> parts;
  for (const Trial& trial : trials)
    parts.push_back(fmt::format("{} {} of {}", trial.condition, trial.reproduced, trial.attempts));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace jp::campaign
