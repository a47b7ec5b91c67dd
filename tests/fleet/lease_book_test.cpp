// Leases: who makes what, and what becomes of servers that fail.
#include "fleet/lease_book.h"

#include <gtest/gtest.h>

namespace jp::fleet {
namespace {

const double kLeastLong = Patience{}.least_long;

bool none(std::uint64_t) { return false; }

TEST(LeaseBook, GivesLeasesInOrderAndOnce) {
  LeaseBook book({.deadline = 100});
  book.add({10, 20}, none);
  book.add({0, 10}, none);
  EXPECT_EQ(book.take(0, 0), (Range{0, 10}));
  EXPECT_EQ(book.take(1, 0), (Range{10, 20}));
  EXPECT_EQ(book.take(2, 1), std::nullopt);
  for (std::uint64_t test = 0; test < 10; ++test) EXPECT_EQ(book.result(0, test, "a", 1), Came::kFirst);
  book.done(0, 2);
  EXPECT_FALSE(book.has_lease(0));
  EXPECT_TRUE(book.has_lease(1));
}

TEST(LeaseBook, TestsWithResultsAreNotMadeAgain) {
  LeaseBook book({.deadline = 100});
  book.add({0, 10}, [](std::uint64_t test) { return test == 3 || test == 4 || test == 9; });
  EXPECT_EQ(book.take(0, 0), (Range{0, 3}));
  EXPECT_EQ(book.take(1, 0), (Range{5, 9}));
  EXPECT_EQ(book.take(2, 0), std::nullopt);
}

TEST(LeaseBook, AFailedLeaseIsSplitAtTheTestInWhichItFailed) {
  LeaseBook book({.deadline = 100});
  book.add({0, 10}, none);
  ASSERT_TRUE(book.take(0, 0));
  for (std::uint64_t test = 0; test < 4; ++test) book.result(0, test, "a", 1);
  EXPECT_EQ(book.failed(0), std::nullopt);
  EXPECT_EQ(book.take(1, 2), (Range{4, 5})) << "the suspect alone";
  EXPECT_EQ(book.take(2, 2), (Range{5, 10}));
  EXPECT_EQ(book.failed(1), std::nullopt);
  EXPECT_EQ(book.take(1, 3), (Range{4, 5}));
  EXPECT_EQ(book.failed(1), std::optional<std::uint64_t>(4)) << "the third time it is skipped";
  EXPECT_EQ(book.take(1, 4), std::nullopt);
}

TEST(LeaseBook, ALeaseThatIsHandedBackCountsForNothing) {
  LeaseBook book({.deadline = 100});
  book.add({0, 10}, none);
  for (int server = 0; server < 5; ++server) {
    EXPECT_EQ(book.take(server, 0), (Range{0, 10}));
    book.hand_back(server);
    EXPECT_EQ(book.failed(server), std::nullopt);
  }
  EXPECT_EQ(book.take(5, 0), (Range{0, 10}));
}

TEST(LeaseBook, AServerThatFailsAfterTheLastResultCostsNothing) {
  LeaseBook book({.deadline = 100});
  book.add({0, 1}, none);
  ASSERT_TRUE(book.take(0, 0));
  book.result(0, 0, "a", 1);
  EXPECT_EQ(book.failed(0), std::nullopt);
  EXPECT_EQ(book.take(0, 1), std::nullopt);
}

TEST(LeaseBook, AStragglerGetsASecondCopyAndBothAreCompared) {
  LeaseBook book({.deadline = 1000});
  book.add({0, 3}, none);
  ASSERT_TRUE(book.take(0, 0));
  book.result(0, 0, "a", 1);
  EXPECT_EQ(book.take(1, kLeastLong), std::nullopt) << "not yet";
  const double late = kLeastLong + 1;
  EXPECT_EQ(book.take(1, late), (Range{1, 3}));
  EXPECT_EQ(book.take(2, late), std::nullopt) << "two copies are enough";
  EXPECT_EQ(book.result(1, 1, "b", late), Came::kFirst);
  EXPECT_EQ(book.result(1, 2, "c", late), Came::kFirst);
  book.done(1, late);
  EXPECT_EQ(book.result(0, 1, "b", late), Came::kSame);
  EXPECT_EQ(book.result(0, 2, "other", late), Came::kUnlike);
  book.done(0, late);
  EXPECT_EQ(book.result(0, 2, "c", late), Came::kUnknown) << "nobody has that lease any more";
}

TEST(LeaseBook, ACopyAtWorkEndsWhatTheOtherLeft) {
  LeaseBook book({.deadline = 1000});
  book.add({0, 2}, none);
  ASSERT_TRUE(book.take(0, 0));
  ASSERT_TRUE(book.take(1, 50));
  EXPECT_EQ(book.failed(0), std::nullopt);
  EXPECT_EQ(book.result(1, 0, "a", 51), Came::kFirst);
  EXPECT_EQ(book.failed(1), std::nullopt);
  EXPECT_EQ(book.take(0, 52), (Range{1, 2}));
}

TEST(LeaseBook, ASilentServerIsOverdue) {
  LeaseBook book({.deadline = 100});
  book.add({0, 3}, none);
  ASSERT_TRUE(book.take(4, 0));
  EXPECT_TRUE(book.overdue(100).empty());
  book.result(4, 0, "a", 90);
  EXPECT_TRUE(book.overdue(190).empty());
  EXPECT_EQ(book.overdue(191), std::vector<int>{4});
}

// Else a test that ends servers late would be begun again and again, as long as there are two that have nothing else.
TEST(LeaseBook, FailuresCountThoughASecondCopyIsAtWork) {
  LeaseBook book({.deadline = 1000, .least_long = 30});
  book.add({0, 2}, [](std::uint64_t) { return false; });
  double now = 0;
  ASSERT_TRUE(book.take(0, now));
  ASSERT_TRUE(book.take(1, now += 31));
  EXPECT_EQ(book.failed(0), std::nullopt);
  ASSERT_TRUE(book.take(2, now += 31));
  EXPECT_EQ(book.failed(1), std::nullopt);
  ASSERT_TRUE(book.take(3, now += 31));
  EXPECT_EQ(book.failed(2), std::optional<std::uint64_t>(0)) << "the third, while server 3 is at work";
  EXPECT_EQ(book.result(3, 0, "a", now), Came::kUnknown) << "it was skipped";
  EXPECT_EQ(book.result(3, 1, "a", now), Came::kFirst);
  book.done(3, now);
  EXPECT_EQ(book.take(4, now + 100), std::nullopt);
}

}  // namespace
}  // namespace jp::fleet
