// Start-up probes: everything planted is detected, and a detector that is switched off is noticed.
#include "pyrunner/probes.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

std::string unseen(const std::vector<ProbeResult>& results) {
  std::string text;
  for (const ProbeResult& result : results) {
    if (!result.seen) text += result.name + ": " + result.detail + "; ";
  }
  return text;
}

TEST(Probes, EverythingPlantedIsSeenThroughInductor) {
  const std::vector<ProbeResult> general = probe_runner(shared_runner());
  EXPECT_EQ(general.size(), 6u);
  EXPECT_EQ(unseen(general), "");
  const std::vector<ProbeResult> own = probe_backend(shared_runner(), "inductor");
  EXPECT_EQ(own.size(), 5u);
  EXPECT_EQ(unseen(own), "");
}

TEST(Probes, ABackendThatDoesNotCompileIsNoticed) {
  std::string path = testing::TempDir() + "identity_backend.py";
  std::ofstream(path)
      << "def compile(fn, **options):\n    return fn\n\n\ndef counters():\n    return {'known': True}\n";
  const std::vector<ProbeResult> results = probe_backend(shared_runner(), "file:" + path);
  auto seen = [&](const std::string& name) {
    return std::any_of(results.begin(), results.end(), [&](const auto& r) { return r.name == name && r.seen; });
  };
  EXPECT_EQ(results.size(), 2u);
  EXPECT_FALSE(seen("mismatch"));
  EXPECT_FALSE(seen("graph break"));
}

TEST(Probes, ABackendThatDoesNotImportIsOneSentence) {
  Result<BackendInfo> none = shared_runner().backend("nonsense");
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().message.find("there is no backend 'nonsense'"), std::string::npos);
  Result<BackendInfo> module = shared_runner().backend("no_such_module:compile");
  ASSERT_FALSE(module.ok());
  EXPECT_NE(module.error().message.find("there is no module"), std::string::npos);
}

TEST(Probes, LimitsStayWithinTheirBounds) {
  Limits limits = measure(shared_runner(), "aot_eager");
  shared_runner().set_limits(short_limits());
  EXPECT_GE(limits.seconds, 10);
  EXPECT_LE(limits.seconds, 300);
}

}  // namespace
}  // namespace jp::pyrunner::test
