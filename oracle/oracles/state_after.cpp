// Eager, and eager again in a process in which the program was compiled and run before: compiling must leave nothing
// behind that changes eager (thread count, flush-to-zero, default dtype, patches that leak).
//
// A program that changes such things itself would be blamed for it: therefore a difference is compared with the same
// after a plain run ("plain": nothing compiled), if the worker can make one.
#include <fmt/format.h>

#include "oracle/judge/compare.h"
#include "oracle/judge/endings.h"
#include "oracle/judge/repetition.h"
#include "oracle/judge/verdicts.h"

namespace jp::oracle::state_after_oracle {
namespace {

// Flushing of denormals is among what this oracle looks for.
void raise_denormals(Comparison& comparison) {
  std::erase_if(comparison.weak, [&](const Difference& difference) {
    if (difference.mismatch != Mismatch::kDenormal) return false;
    comparison.add(
        {difference, "denormal",
         fmt::format("{}: numbers below the smallest normal one changed", place(difference.call, difference.where))});
    return true;
  });
}

Comparison between(const Finished& before, const Finished& after) {
  ControlRuns controls;
  controls.observed = "eager after compiling";
  Comparison comparison = compare(before.observation, after.observation, controls);
  raise_denormals(comparison);
  return comparison;
}

class StateAfter final : public Oracle {
 public:
  std::string_view name() const override { return "state_after"; }
  std::string_view says() const override {
    return "eager, and eager again in a process that has compiled the program: compiling leaves nothing behind";
  }
  Sides sides() const override {
    return {.reference = "eager", .observed = "eager_after", .eager = "eager", .suffix = ""};
  }

  Plan plan(const Program& program, const PlanOptions& options) const override {
    Plan plan = empty_plan(name(), program, options);
    plan.runs.push_back(eager_run("eager", options));
    if (options.full) plan.runs.push_back(eager_again(options));
    RunRequest after = eager_run("eager_after", options);
    after.after = options.backend;
    plan.runs.push_back(std::move(after));
    return plan;
  }

  Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
    const Runs runs(plan, outcomes);
    if (auto broken = judge_broken(runs)) return *broken;
    const Outcome* eager = runs.outcome("eager");
    if (!eager) return {{}, runs.missing()};
    if (auto verdict = judge_eager_ending(*eager)) return decided(*verdict);
    if (auto judgement = judge_repetition(runs, sides())) return *judgement;
    const Outcome* after = runs.outcome("eager_after");
    if (!after) return {{}, runs.missing()};
    if (auto verdict = judge_compiled_ending(*after, sides())) return decided(*verdict);
    if (auto verdict = judge_children(runs, sides())) return decided(*verdict);
    Comparison comparison = between(*runs.finished("eager"), *runs.finished("eager_after"));
    if (comparison.strong.empty()) {
      comparison.agreement = "state_after";
      return decided(conclude(std::move(comparison), plan, sides(), nullptr));
    }
    RunRequest twice = *runs.request("eager_after");
    twice.role = "eager_twice";
    twice.after = "plain";
    if (auto wanted = runs.unanswered({again_request(runs, sides()), std::move(twice)}); !wanted.empty())
      return {{}, std::move(wanted)};
    if (const Finished* plain = runs.finished("eager_twice");
        plain && !between(*runs.finished("eager"), *plain).strong.empty())
      return decided(verdict_of(Verdict::Kind::kUnstable, "eager_differs",
                                "the program itself changes what a second run of it does"));
    return decided(conclude(std::move(comparison), plan, sides(), nullptr));
  }
};

const Register<Oracle, StateAfter> registered;

}  // namespace
}  // namespace jp::oracle::state_after_oracle
