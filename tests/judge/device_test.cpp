// A worker for a device that torch can't use here: commands refuse with one sentence, and no probe takes it for there.
#include "campaign/common/device.h"

#include <gtest/gtest.h>

#include "campaign/common/tools.h"
#include "campaign/machine.h"
#include "campaign/start_probes.h"
#include "codec/codec.h"
#include "pyrunner/probes.h"

namespace jp::campaign {
namespace {

TEST(Device, ThatTorchCantUseIsOneSentenceEverywhere) {
  Result<pyrunner::RunnerOptions> options = runner_options({"eager"}, "cuda");
  ASSERT_TRUE(options.ok()) << options.error().message;
  auto started = pyrunner::Runner::start(options.value());
  ASSERT_TRUE(started.ok()) << started.error().message;
  pyrunner::Runner& runner = *started.value();
  const Result<std::string> name = device_name(runner, "cuda");
  if (name.ok()) GTEST_SKIP() << "this machine has " << name.value();
  EXPECT_NE(name.error().message.find("--device cpu"), std::string::npos) << name.error().message;
  EXPECT_EQ(name.error().message.find('\n'), std::string::npos) << name.error().message;
  const Result<codec::Json> machine = machine_of(runner);
  ASSERT_FALSE(machine.ok()) << "no campaign starts without its device";
  EXPECT_EQ(machine.error().message, name.error().message);
  const Status probed = probe_once(runner);
  ASSERT_FALSE(probed.ok());
  EXPECT_EQ(probed.error().message, name.error().message);
  const std::vector<pyrunner::ProbeResult> results = pyrunner::probe_device(runner, "eager");
  EXPECT_EQ(results.size(), 5U);
  for (const pyrunner::ProbeResult& result : results) {
    EXPECT_FALSE(result.seen) << result.name;
    EXPECT_TRUE(result.name.ends_with(" on cuda")) << result.name;
    EXPECT_NE(result.detail.find("CUDA"), std::string::npos) << result.name << ": " << result.detail;
  }
}

TEST(Device, OfTheCpuNeedsNoFurtherProbes) {
  Result<pyrunner::RunnerOptions> options = runner_options({"plain"});
  ASSERT_TRUE(options.ok()) << options.error().message;
  auto started = pyrunner::Runner::start(options.value());
  ASSERT_TRUE(started.ok()) << started.error().message;
  EXPECT_TRUE(pyrunner::probe_device(*started.value(), "plain").empty());
  const Result<codec::Json> machine = machine_of(*started.value());
  ASSERT_TRUE(machine.ok()) << machine.error().message;
  EXPECT_FALSE(machine.value().contains("GPU"));
}

}  // namespace
}  // namespace jp::campaign
