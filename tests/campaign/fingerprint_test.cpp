// What a process that makes tests must have in common with the campaign.
#include "campaign/fingerprint.h"

#include <gtest/gtest.h>

#include "campaign/machine.h"
#include "codec/codec.h"
#include "core/files.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

TEST(Fingerprint, ChangesWithTheRuntimeAndTheKnownBugsAndNotWithPlaces) {
  const report::test::Folder one;
  const report::test::Folder other;
  for (const auto* folder : {&one, &other}) ASSERT_TRUE(write_file(*folder / "a.py", "1\n").ok());
  const KnownBefore known{.bugs = {{.name = "bug", .text = "# A bug.\n"}}};
  const codec::Json first = fingerprint(one / "", known).value();
  EXPECT_EQ(first, fingerprint(other / "", known).value());
  EXPECT_EQ(unlike(first, first), "");
  ASSERT_TRUE(write_file(other / "a.py", "2\n").ok());
  std::string said = unlike(first, fingerprint(other / "", known).value());
  EXPECT_TRUE(said.starts_with("jitprobe: the campaign was started with")) << said;
  const KnownBefore changed{.bugs = {{.name = "bug", .text = "# Another bug.\n"}}};
  said = unlike(first, fingerprint(one / "", changed).value());
  EXPECT_TRUE(said.starts_with("known bugs: the campaign was started with 1 (")) << said;
  EXPECT_FALSE(fingerprint(one / "nowhere", known).ok());
}

}  // namespace
}  // namespace jp::campaign
