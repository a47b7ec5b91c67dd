// @NAME@: which runs it compares, and what a difference means.
#include "oracle/verdicts.h"

namespace jp::oracle {
namespace {

class @CLASS @final : public Oracle{public : std::string_view name() const override{return "@NAME@";
}

Plan plan(const Program& program, const PlanOptions& options) const override {
  Plan plan = empty_plan(name(), program, options);
  plan.runs.push_back(eager_run("eager", options));
  if (options.full) plan.runs.push_back(eager_run("eager_again", options));
  plan.runs.push_back(compiled_run("compiled", options));
  return plan;
}

// Pure: what is missing is asked for. Rules that are new need a line in oracle/rules.h and their two tests.
Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
  return judge_pair(Runs(plan, outcomes), {});
}
};  // namespace jp::oracle

const Register<Oracle, @CLASS @> registered;

}  // namespace
}  // namespace jp::oracle
