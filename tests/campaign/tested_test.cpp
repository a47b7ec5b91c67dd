// The result of a test as JSON: what other processes give back.
#include "campaign/tested.h"

#include <gtest/gtest.h>

#include "codec/codec.h"
#include "tests/fleet/build.h"

namespace jp::campaign {
namespace {

using fleet::test::tested;

TEST(Tested, ComesBack) {
  Tested rejected{.number = 4, .counts = {{"seeds", {{"made", 1}}}}};
  for (const Tested& one : {tested(3), rejected, Tested{.number = 5, .broken = "internal error: 1"},
                            Tested{.number = 6, .broken = "internal error: 2", .program = tested(6).program}}) {
    const Result<Tested> again = read_tested(codec::parse_text(codec::text(to_json(one))).value());
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(to_json(again.value()), to_json(one));
    EXPECT_EQ(again.value().valid, one.valid);
    EXPECT_EQ(again.value().counts, one.counts);
    EXPECT_EQ(again.value().broken, one.broken);
  }
  EXPECT_EQ(read_tested(to_json(tested(3))).value().program->sha256(), tested(3).program->sha256());
  codec::Json damaged = to_json(tested(3));
  damaged["plan"] = 1;
  EXPECT_FALSE(read_tested(damaged).ok());
}

}  // namespace
}  // namespace jp::campaign
