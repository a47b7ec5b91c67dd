// Which epoch a test is in.
#include "campaign/common/epochs.h"

#include <gtest/gtest.h>

#include <vector>

namespace jp::campaign {
namespace {

std::vector<std::uint64_t> begins(std::uint64_t size) {
  std::vector<std::uint64_t> found;
  for (std::uint64_t epoch = 0; epoch < 7; ++epoch) found.push_back(Epochs(size).begin(epoch));
  return found;
}

TEST(Epochs, TheFirstAreShort) {
  EXPECT_EQ(begins(500), (std::vector<std::uint64_t>{0, 62, 125, 250, 500, 1000, 1500}));
  EXPECT_EQ(begins(8), (std::vector<std::uint64_t>{0, 1, 2, 4, 8, 16, 24}));
  EXPECT_EQ(begins(7), (std::vector<std::uint64_t>{0, 7, 14, 21, 28, 35, 42})) << "too small for parts";
  EXPECT_EQ(begins(1), (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(Epochs, EveryTestIsInOne) {
  for (std::uint64_t size : {1, 7, 8, 9, 15, 100, 500}) {
    const Epochs epochs(size);
    for (std::uint64_t test = 0; test < 2000; ++test) {
      const std::uint64_t epoch = epochs.of(test);
      ASSERT_LE(epochs.begin(epoch), test) << size;
      ASSERT_LT(test, epochs.begin(epoch) + epochs.length(epoch)) << size;
    }
  }
}

TEST(Epochs, GrowWithTheCoresAndOneMachinesStayAsTheyWere) {
  EXPECT_EQ(Epochs::for_cores(0), Epochs());
  EXPECT_EQ(Epochs().lag(), 2U);
  EXPECT_EQ(Epochs(4000).times(), 1U) << "long ones of one machine keep as much as short ones";
  EXPECT_EQ(Epochs::for_cores(1).size(), Epochs::kSize);
  const Epochs hundred = Epochs::for_cores(100);
  EXPECT_EQ(hundred.size(), 30000U);
  EXPECT_EQ(hundred.lag(), 4U);
  EXPECT_EQ(Epochs::for_cores(8).times(), 4U);
  EXPECT_EQ(hundred.times(), Epochs::kMostTimes);
  EXPECT_EQ(Epochs::for_cores(100, hundred.size()), hundred) << "as settings give it back";
}

}  // namespace
}  // namespace jp::campaign
