// The same compiled program on the CPU and on a GPU, each with its own eager run as referee: a difference between the
// two compiled runs is reported if at least one of them is off its own eager run beyond rounding, and the eager runs
// don't differ there. Devices draw other random numbers, and eager may do on one of them what it can't do on the other;
// neither is a compiler's fault. Without a GPU the runs can't be made, and nothing is said.
#include "oracle/judge/verdicts.h"

namespace jp::oracle::device_vs_device_oracle {
namespace {

class DeviceVsDevice final : public Oracle {
 public:
  std::string_view name() const override { return "device_vs_device"; }
  std::string_view says() const override {
    return "one compiled program on the CPU and on a GPU, each with its own eager run as the referee";
  }
  Needs needs() const override { return Needs::kGpu; }
  Sides sides() const override {
    return {.reference = "eager_cuda", .observed = "cuda", .eager = "eager_cuda", .suffix = "_cuda"};
  }

  Plan plan(const Program& program, const PlanOptions& options) const override {
    Plan plan = empty_plan(name(), program, options);
    PlanOptions cpu = options;
    cpu.device = "cpu";
    PlanOptions cuda = options;
    cuda.device = "cuda";
    plan.runs.push_back(eager_run("eager", cpu));
    if (options.full) plan.runs.push_back(eager_again(cpu));
    plan.runs.push_back(compiled_run("compiled", cpu));
    plan.runs.push_back(eager_run("eager_cuda", cuda));
    if (options.full) plan.runs.push_back(eager_again(cuda, "eager_cuda"));
    plan.runs.push_back(compiled_run("cuda", cuda));
    return plan;
  }

  Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
    return judge_pair_of_pairs(Runs(plan, outcomes), {.one = {},
                                                      .other = sides(),
                                                      .alike = "both_devices",
                                                      .reason = "both devices are off eager in the same way",
                                                      .apart = RuleName("devices_differ"),
                                                      .any_device = true});
  }
};

const Register<Oracle, DeviceVsDevice> registered;

}  // namespace
}  // namespace jp::oracle::device_vs_device_oracle
