// One program compiled with two configurations that must not change its result: as usual, and with a sequence of
// switches set (RunRequest::switches). Eager is the referee: a difference between the two compiled runs is reported if
// at least one of them is off eager beyond rounding. The sequence is stored in the plan, for reduction.
#include "oracle/judge/verdicts.h"

namespace jp::oracle::config_vs_config_oracle {
namespace {

class ConfigVsConfig final : public Oracle {
 public:
  std::string_view name() const override { return "config_vs_config"; }
  std::string_view says() const override {
    return "one program compiled with two configurations that must not change its result (--switches); eager is the "
           "referee";
  }
  Needs needs() const override { return Needs::kSwitches; }
  Sides sides() const override {
    return {.reference = "eager", .observed = "switched", .eager = "eager", .suffix = ""};
  }

  Plan plan(const Program& program, const PlanOptions& options) const override {
    Plan plan = empty_plan(name(), program, options);
    plan.runs.push_back(eager_run("eager", options));
    if (options.switches.empty()) return plan;
    if (options.full) plan.runs.push_back(eager_again(options));
    plan.runs.push_back(compiled_run("compiled", options));
    RunRequest switched = compiled_run("switched", options);
    switched.switches = options.switches;
    plan.runs.push_back(std::move(switched));
    return plan;
  }

  Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
    const Runs runs(plan, outcomes);
    if (!runs.request("switched")) {
      if (auto wanted = runs.missing(); !wanted.empty()) return {{}, std::move(wanted)};
      return decided(verdict_of(Verdict::Kind::kRejected, "no_switches",
                                "there is no second configuration: name the switches that make it"));
    }
    return judge_pair_of_pairs(runs, {.one = {},
                                      .other = sides(),
                                      .alike = "both_configurations",
                                      .reason = "both configurations are off eager in the same way"});
  }
};

const Register<Oracle, ConfigVsConfig> registered;

}  // namespace
}  // namespace jp::oracle::config_vs_config_oracle
