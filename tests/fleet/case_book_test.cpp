// Which case is studied where.
#include "fleet/case_book.h"

#include <gtest/gtest.h>

namespace jp::fleet {
namespace {

std::string taken(CaseBook& book, int server, double now = 0) {
  const std::string* message = book.take(server, now);
  return message ? *message : "";
}

TEST(CaseBook, TheSmallestTestComesFirstAndEachOnce) {
  CaseBook book({.deadline = 10});
  book.add(7, "seven");
  book.add(3, "three");
  EXPECT_EQ(taken(book, 0), "three");
  EXPECT_EQ(taken(book, 1), "seven");
  EXPECT_EQ(taken(book, 2), "");
  EXPECT_EQ(book.done(0, 7, "a", 1), Came::kUnknown) << "it has another one";
  EXPECT_EQ(book.done(0, 3, "a", 1), Came::kFirst);
  EXPECT_FALSE(book.has_case(0));
  EXPECT_TRUE(book.has_case(1));
  EXPECT_EQ(book.done(0, 3, "a", 1), Came::kUnknown) << "twice";
}

TEST(CaseBook, AfterThreeFailuresACaseIsLeft) {
  CaseBook book({.deadline = 10});
  book.add(3, "three");
  for (int server = 0; server < 3; ++server) {
    EXPECT_EQ(taken(book, server), "three");
    EXPECT_EQ(book.failed(server), server == 2 ? std::optional<std::uint64_t>(3) : std::nullopt);
  }
  EXPECT_EQ(taken(book, 3), "");
  EXPECT_EQ(book.failed(3), std::nullopt) << "it has none";
}

TEST(CaseBook, WhatTakesLongIsStudiedASecondTime) {
  CaseBook book({.deadline = 1000, .least_long = 30});
  book.add(3, "three");
  book.add(4, "four");
  taken(book, 0, 0);
  EXPECT_EQ(book.take_copy(1, 20), nullptr);
  taken(book, 1, 0);
  EXPECT_EQ(book.take_copy(2, 20), nullptr);
  EXPECT_EQ(book.done(1, 4, "a", 20), Came::kFirst);
  EXPECT_EQ(book.take_copy(1, 50), nullptr) << "others took 20 s";
  ASSERT_NE(book.take_copy(1, 61), nullptr);
  EXPECT_EQ(book.take_copy(2, 200), nullptr) << "a third time";
  EXPECT_EQ(book.failed(1), std::nullopt);
  ASSERT_NE(book.take_copy(1, 61), nullptr);
  EXPECT_EQ(book.done(1, 3, "a", 70), Came::kFirst);
  EXPECT_EQ(taken(book, 2), "") << "it has answers";
  EXPECT_EQ(book.done(0, 3, "b", 80), Came::kUnlike);
  EXPECT_FALSE(book.has_case(0));
}

TEST(CaseBook, ACopyThatFailsAfterTheAnswersCameLeavesNothing) {
  CaseBook book({.deadline = 1000, .least_long = 30});
  book.add(3, "three");
  taken(book, 0, 0);
  ASSERT_NE(book.take_copy(1, 31), nullptr);
  EXPECT_EQ(book.done(1, 3, "a", 40), Came::kFirst);
  EXPECT_EQ(book.failed(0), std::nullopt);
  EXPECT_EQ(taken(book, 2), "");
}

TEST(CaseBook, ACaseThatIsHandedBackCountsForNothing) {
  CaseBook book({.deadline = 10});
  book.add(3, "three");
  for (int server = 0; server < 5; ++server) {
    EXPECT_EQ(taken(book, server), "three");
    book.hand_back(server);
    EXPECT_EQ(book.failed(server), std::nullopt);
  }
  EXPECT_EQ(taken(book, 5), "three");
}

TEST(CaseBook, AServerThatSaysNothingIsOverdue) {
  CaseBook book({.deadline = 10});
  book.add(3, "three");
  book.add(4, "four");
  taken(book, 0, 0);
  taken(book, 1, 0);
  book.heard(1, 8);
  book.heard(2, 8);
  EXPECT_TRUE(book.overdue(9).empty());
  EXPECT_EQ(book.overdue(11), std::vector<int>{0});
}

TEST(CaseBook, FailuresCountThoughASecondCopyIsAtWork) {
  CaseBook book({.deadline = 1000, .least_long = 30});
  book.add(3, "three");
  double now = 0;
  taken(book, 0, now);
  for (int server = 1; server < 4; ++server) {
    ASSERT_NE(book.take_copy(server, now += 31), nullptr);
    EXPECT_EQ(book.failed(server - 1), server == 3 ? std::optional<std::uint64_t>(3) : std::nullopt);
  }
  EXPECT_EQ(book.take_copy(4, now + 31), nullptr) << "it is left to the driver";
  EXPECT_EQ(book.done(3, 3, "a", now), Came::kSame) << "which has been told so";
  EXPECT_EQ(taken(book, 4), "");
}

}  // namespace
}  // namespace jp::fleet
