// Shares of backends and oracles: what earns more for what it costs is drawn more, within bounds.
#include "campaign/feedback/test_shares.h"

#include <gtest/gtest.h>

#include "codec/codec.h"

namespace jp::campaign {
namespace {

const std::vector<std::string> kBackends = {"eager", "aot_eager", "inductor"};
using Weights = std::vector<std::uint32_t>;

TEST(TestShares, AreThoseGivenUntilSomethingIsEarned) {
  TestShares shares;
  EXPECT_EQ(shares.of_backends(kBackends, {3, 13, 2}), (Weights{3 * kEven, 13 * kEven, 2 * kEven}));
  for (int i = 0; i < 1000; ++i) shares.add("eager", "eager_vs_compiled", 0);
  EXPECT_EQ(shares.of_backends(kBackends, {3, 13, 2}), (Weights{3 * kEven, 13 * kEven, 2 * kEven}));
  EXPECT_EQ(shares.of_oracles({"eager_vs_compiled", "rejects_alike"}), (Weights{kEven, kEven}));
}

TEST(TestShares, FollowWhatIsEarnedForWhatItCosts) {
  TestShares shares;
  for (int i = 0; i < 500; ++i) {
    shares.add("aot_eager", "eager_vs_compiled", i % 10 == 0);
    shares.add("inductor", "rejects_alike", i % 10 == 0);
  }
  const Weights equal_a_test = shares.of_backends(kBackends, {1, 1, 1});
  EXPECT_EQ(equal_a_test[0], kEven) << "never tried";
  EXPECT_GT(equal_a_test[1], kEven);
  EXPECT_LT(equal_a_test[2], kEven) << "as much a test, but a test costs ten times as much";
  for (int i = 0; i < 500; ++i) shares.add("inductor", "rejects_alike", 5);
  const Weights worth_it = shares.of_backends(kBackends, {1, 1, 1});
  EXPECT_GT(worth_it[2], worth_it[1]);
  EXPECT_GT(shares.of_oracles({"rejects_alike"})[0], shares.of_oracles({"eager_vs_compiled"})[0]);
}

TEST(TestShares, StayBetweenHalfAndTwiceWhatWasGiven) {
  TestShares shares;
  for (int i = 0; i < 100000; ++i) {
    shares.add("aot_eager", "eager_vs_compiled", 9);
    shares.add("inductor", "rejects_alike", 0);
  }
  EXPECT_EQ(shares.of_backends(kBackends, {3, 13, 2})[2], 2 * kEven / 2);
  TestShares other;
  for (int i = 0; i < 100000; ++i) other.add("aot_eager", "eager_vs_compiled", 0);
  for (int i = 0; i < 100; ++i) other.add("inductor", "rejects_alike", 9);
  EXPECT_EQ(other.of_backends(kBackends, {3, 13, 2})[2], 2 * kEven * 2);
}

TEST(TestShares, ComeBackFromJsonAndForget) {
  TestShares shares;
  for (int i = 0; i < 200; ++i) shares.add("aot_eager", "eager_vs_compiled", i % 7 == 0);
  EXPECT_EQ(TestShares::read(shares.to_json()).of_backends(kBackends, {3, 13, 2}),
            shares.of_backends(kBackends, {3, 13, 2}));
  const codec::Json before = shares.to_json();
  shares.fade();
  EXPECT_LT(shares.to_json()["all"][0].get<std::int64_t>(), before["all"][0].get<std::int64_t>());
}

}  // namespace
}  // namespace jp::campaign
