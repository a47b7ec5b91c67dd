// The oracle device_vs_device on recorded outcomes.
#include <gtest/gtest.h>

#include "oracle/judge/compared_runs.h"
#include "tests/oracle/shown.h"

namespace jp::oracle::test {
namespace {

using VerdictKind = Verdict::Kind;

TEST(DeviceVsDevice, DevicesMayDifferValuesNot) {
  const auto of = [](float compiled, float cuda) {
    return on(
        "device_vs_device",
        {{"eager", shows(1)}, {"compiled", shows(compiled)}, {"eager_cuda", shows_far(1)}, {"cuda", shows_far(cuda)}});
  };
  EXPECT_EQ(of(1, 1).rule, "bitwise");
  EXPECT_EQ(of(1, 3).kind, VerdictKind::kDiverge);
  EXPECT_EQ(of(1, 3).reference, "compiled");
  EXPECT_EQ(of(1, 3).under_test, "cuda");
  EXPECT_EQ(of(3, 1).kind, VerdictKind::kDiverge);
  EXPECT_EQ(of(3, 3).rule, "both_devices");
}

TEST(DeviceVsDevice, WithoutAGpuNothingIsSaid) {
  const Ending none = Raised{"backend", "torch sees no GPU on this machine", {}};
  const Verdict verdict = verdict_of_oracle(
      "device_vs_device", plan_of("device_vs_device"),
      {shows(1).outcome("eager"), shows(1).outcome("compiled"), {"eager_cuda", none, 0}, {"cuda", none, 0}});
  EXPECT_EQ(verdict.kind, VerdictKind::kRejected);
  EXPECT_NE(verdict.reason.find("torch sees no GPU on this machine"), std::string::npos) << verdict.reason;
}

TEST(DeviceVsDevice, WhatEagerDoesOnOneDeviceOnlyIsNoCompilersFault) {
  const auto of = [](const Recorded& eager_cuda, const Recorded& cuda) {
    return on("device_vs_device",
              {{"eager", shows(1)}, {"compiled", shows(1)}, {"eager_cuda", eager_cuda}, {"cuda", cuda}});
  };
  EXPECT_EQ(of(shows_far(5), shows_far(5)).rule, "bitwise")
      << "other random numbers on each device, none of them wrong";
  const Recorded refuses = raises(exception("builtins.TypeError", "can't convert cuda:0 device type tensor to numpy"));
  EXPECT_EQ(of(refuses, refuses).kind, VerdictKind::kAgree);
  EXPECT_EQ(of(shows_far(1), refuses).kind, VerdictKind::kDiverge) << "only the compiled run raises there";
  const std::vector<Outcome> dies = {shows(1).outcome("eager"),
                                     shows(1).outcome("compiled"),
                                     {"eager_cuda", Died{"signal", 6, 0, "", {}}, 0},
                                     {"cuda", Died{"signal", 6, 0, "", {}}, 0}};
  EXPECT_EQ(verdict_of_oracle("device_vs_device", plan_of("device_vs_device"), dies).rule, "eager_fails");
}

TEST(DeviceVsDevice, DeathsOnTheGpuAreHeldAgainstEagerThere) {
  const Verdict verdict = verdict_of_oracle("device_vs_device", plan_of("device_vs_device"),
                                            {shows(1).outcome("eager"),
                                             shows(1).outcome("compiled"),
                                             shows_far(1).outcome("eager_cuda"),
                                             {"cuda", Died{"signal", 6, 0, "", {}}, 0}});
  EXPECT_EQ(verdict.rule, "death");
  EXPECT_EQ(verdict.reference, "eager_cuda");
  EXPECT_EQ(run_text(*run_under_test(plan_of("device_vs_device"), verdict)), "compiled on cuda");
}

}  // namespace
}  // namespace jp::oracle::test
