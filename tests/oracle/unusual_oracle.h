// An oracle as anybody may add one: it gives its runs names of its own. What is made of its verdicts must name the
// right runs without an edit anywhere else. One file of a test binary includes this, which registers it.
#pragma once

#include "oracle/judge/verdicts.h"

namespace jp::oracle::test {

class SecondOpinion final : public Oracle {
 public:
  std::string_view name() const override { return "second_opinion"; }
  Sides sides() const override { return {.reference = "opinion", .observed = "counter_opinion", .eager = "opinion"}; }

  Plan plan(const Program& program, const PlanOptions& options) const override {
    Plan plan = empty_plan(name(), program, options);
    // A run that is neither side, before both of them.
    plan.runs.push_back(compiled_run("bystander", options));
    plan.runs.push_back(eager_run("opinion", options));
    if (options.full) plan.runs.push_back(eager_again(options, "opinion"));
    plan.runs.push_back(compiled_run("counter_opinion", options));
    plan.runs.back().switches = options.switches;
    plan.runs.back().options["dynamic"] = "True";
    return plan;
  }

  Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
    return judge_pair(Runs(plan, outcomes), sides());
  }
};

static const Register<Oracle, SecondOpinion> second_opinion;

}  // namespace jp::oracle::test
