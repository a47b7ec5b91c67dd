// The first oracle: the same program with and without the compiler.
//
// The order of judging, cheapest first, each step only if the one before has left something open:
//   1. eager did not finish: rejected. The compiled run died, hung, grew or could not be made: that is the difference.
//   2. Everything that the two runs show is compared: bits, then torch.testing's tolerances.
//   3. A difference that remains asks for control runs, round by round (questions.h).
//   4. What none of them explains diverges. Agreement in which nothing was compiled is vacuous.
#include "oracle/judge/verdicts.h"

namespace jp::oracle::eager_vs_compiled_oracle {
namespace {

class EagerVsCompiled final : public Oracle {
 public:
  std::string_view name() const override { return "eager_vs_compiled"; }
  std::string_view says() const override { return "one program with and without the compiler"; }

  Plan plan(const Program& program, const PlanOptions& options) const override {
    Plan plan = empty_plan(name(), program, options);
    plan.runs.push_back(eager_run("eager", options));
    if (options.full) plan.runs.push_back(eager_again(options));
    plan.runs.push_back(compiled_run("compiled", options));
    return plan;
  }

  Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
    return judge_pair(Runs(plan, outcomes), sides());
  }
};

const Register<Oracle, EagerVsCompiled> registered;

}  // namespace
}  // namespace jp::oracle::eager_vs_compiled_oracle
