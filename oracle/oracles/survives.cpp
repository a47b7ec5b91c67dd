// The compiled run finishes: no death, hang or growth, of the process or of those that the compiler starts. Its results
// are ignored, hence one run per program. Only if it ends badly is eager asked whether it can run the program at all.
#include "oracle/judge/endings.h"
#include "oracle/judge/verdicts.h"

namespace jp::oracle::survives_oracle {
namespace {

class Survives final : public Oracle {
 public:
  std::string_view name() const override { return "survives"; }
  std::string_view says() const override {
    return "the compiled run finishes: no crash, hang or exhausted memory; its results are ignored";
  }

  Plan plan(const Program& program, const PlanOptions& options) const override {
    Plan plan = empty_plan(name(), program, options);
    plan.runs.push_back(compiled_run("compiled", options));
    return plan;
  }

  Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
    const Runs runs(plan, outcomes);
    if (auto broken = judge_broken(runs)) return *broken;
    const Outcome* compiled = runs.outcome("compiled");
    if (!compiled) return {{}, runs.missing()};
    std::optional<Verdict> verdict = judge_compiled_ending(*compiled, sides());
    if (!verdict) verdict = judge_children(runs, sides());
    if (verdict && verdict->kind == Verdict::Kind::kDiverge && !std::holds_alternative<Raised>(compiled->ending)) {
      const Outcome* eager = runs.outcome("eager");
      if (!eager) return {{}, {plain(runs)}};
      if (auto rejected = judge_eager_ending(*eager)) return decided(*rejected);
      if (std::holds_alternative<Finished>(compiled->ending)) verdict = judge_children(runs, sides());
      if (verdict) return decided(*verdict);
    }
    if (verdict && verdict->kind != Verdict::Kind::kDiverge) return decided(*verdict);
    return decided(verdict_of(Verdict::Kind::kAgree, "survives", "the compiled run came to its end"));
  }

 private:
  static RunRequest plain(const Runs& runs) {
    RunRequest run = *runs.request("compiled");
    run.role = "eager";
    run.compiled = false;
    run.backend.clear();
    run.options.clear();
    return run;
  }
};

const Register<Oracle, Survives> registered;

}  // namespace
}  // namespace jp::oracle::survives_oracle
