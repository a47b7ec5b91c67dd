// Which device a command's workers are told to reach.
#include "campaign/common/device.h"

#include <gtest/gtest.h>

#include "campaign/common/confirm.h"
#include "campaign/common/tools.h"
#include "campaign/settings.h"
#include "campaign/sources/seed_source.h"

namespace jp::campaign {
namespace {

Plan plan_of(const std::string& oracle, const oracle::PlanOptions& options) {
  return oracle::find_oracle(oracle)->plan(Program::make("x = 1\n", {}).value(), options);
}

TEST(DeviceOf, OptionsIsWhatAnyRunAsksFor) {
  EXPECT_EQ(device_of({"eager_vs_compiled"}, {}), "cpu");
  EXPECT_EQ(device_of({"eager_vs_compiled", "survives"}, {.device = "cuda"}), "cuda");
  EXPECT_EQ(device_of({"eager_vs_compiled", "device_vs_device"}, {}), "cuda") << "it compares with a GPU in any case";
  EXPECT_EQ(device_of(std::vector<std::string>{}, {.device = "cuda"}), "cuda");
  EXPECT_EQ(device_of({"of another version"}, {}), "cpu");
}

TEST(DeviceOf, PlanIsThatOfTheRunsThatAreNotOnTheCpu) {
  EXPECT_EQ(device_of(plan_of("eager_vs_compiled", {.backend = "eager"})), "cpu");
  EXPECT_EQ(device_of(plan_of("eager_vs_compiled", {.backend = "eager", .device = "cuda"})), "cuda");
  EXPECT_EQ(device_of(plan_of("device_vs_device", {.backend = "eager"})), "cuda");
}

TEST(DeviceOf, PlanOptionsOfAFindingMakeItsPlanAgain) {
  for (const char* oracle : {"eager_vs_compiled", "device_vs_device", "state_after", "survives"}) {
    const Plan plan = plan_of(oracle, {.backend = "aot_eager", .device = "cuda"});
    EXPECT_EQ(plan_options_of(plan).device, "cuda") << oracle;
    EXPECT_EQ(plan_of(oracle, plan_options_of(plan)), plan) << oracle;
  }
  EXPECT_EQ(plan_options_of(plan_of("eager_vs_compiled", {.backend = "aot_eager"})).device, "cpu");
}

TEST(PlanOptionsOfAPlan, AreNotThoseOfItsControlRuns) {
  Plan plan = plan_of("eager_vs_compiled", {.backend = "inductor"});
  RunRequest casts = plan.runs.back();
  casts.role = "compiled_casts";
  casts.switches = {"emulate_precision_casts"};
  plan.runs.push_back(casts);
  EXPECT_TRUE(plan_options_of(plan).switches.empty());
  const oracle::PlanOptions configured{.backend = "inductor", .switches = {"freezing"}};
  EXPECT_EQ(plan_options_of(plan_of("config_vs_config", configured)).switches, configured.switches);
}

TEST(DeviceOf, ARunnerIsWhatItsOptionsSay) {
  const Result<pyrunner::RunnerOptions> of_cpu = runner_options({"eager"});
  const Result<pyrunner::RunnerOptions> of_cuda = runner_options({"eager"}, "cuda");
  if (!of_cpu.ok() || !of_cuda.ok()) GTEST_SKIP() << "the worker is not built";
  EXPECT_EQ(of_cpu.value().device, "cpu");
  EXPECT_EQ(of_cuda.value().device, "cuda");
}

TEST(DeviceOf, AResumedCampaignsRunnerIsThatOfItsSettings) {
  CampaignOptions started;
  started.maker.seed_sources = {generated_source({3, 3})};
  started.maker.backends = {"aot_eager"};
  started.maker.backend_weights = {1};
  started.maker.oracles = {"device_vs_device"};
  CampaignOptions resumed;
  resumed.runner.backends = {"inductor"};
  ASSERT_TRUE(read_settings(settings_json(started), resumed).ok());
  EXPECT_EQ(resumed.runner.backends, started.maker.backends);
  EXPECT_EQ(resumed.runner.device, "cuda");
  started.maker.oracles = {"eager_vs_compiled"};
  ASSERT_TRUE(read_settings(settings_json(started), resumed).ok());
  EXPECT_EQ(resumed.runner.device, "cpu");
}

}  // namespace
}  // namespace jp::campaign
