// What a process that makes tests must have in common with the campaign.
#include "campaign/fingerprint.h"

#include <gtest/gtest.h>

#include "campaign/machine.h"
#include "codec/codec.h"
#include "core/files.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

Result<codec::Json> of(const std::string& folder, const KnownBefore& known, bool sandbox = true) {
  return fingerprint({.runtime_dir = folder, .sandbox = sandbox}, known);
}

TEST(Fingerprint, ChangesWithTheRuntimeAndTheKnownBugsAndNotWithPlaces) {
  const report::test::Folder one;
  const report::test::Folder other;
  for (const auto* folder : {&one, &other}) ASSERT_TRUE(write_file(*folder / "a.py", "1\n").ok());
  const KnownBefore known{.bugs = {{.name = "bug", .text = "# A bug.\n"}}};
  const codec::Json first = of(one / "", known).value();
  EXPECT_EQ(first, of(other / "", known).value());
  EXPECT_EQ(unlike(first, first), "");
  ASSERT_TRUE(write_file(other / "a.py", "2\n").ok());
  std::string said = unlike(first, of(other / "", known).value());
  EXPECT_TRUE(said.starts_with("build: the campaign was started with jitprobe ")) << said;
  const KnownBefore changed{.bugs = {{.name = "bug", .text = "# Another bug.\n"}}};
  said = unlike(first, of(one / "", changed).value());
  EXPECT_TRUE(said.starts_with("known bugs: the campaign was started with 1 (")) << said;
  said = unlike(first, of(one / "", known, false).value());
  EXPECT_TRUE(said.starts_with("confinement: the campaign was started with the usual one, and this is none")) << said;
  EXPECT_FALSE(of(one / "nowhere", known).ok());
}

}  // namespace
}  // namespace jp::campaign
