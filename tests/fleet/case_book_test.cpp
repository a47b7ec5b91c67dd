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
  CaseBook book(10);
  book.add(7, "seven");
  book.add(3, "three");
  EXPECT_EQ(taken(book, 0), "three");
  EXPECT_EQ(taken(book, 1), "seven");
  EXPECT_EQ(taken(book, 2), "");
  EXPECT_FALSE(book.done(0, 7)) << "it has another one";
  EXPECT_TRUE(book.done(0, 3));
  EXPECT_FALSE(book.has_case(0));
  EXPECT_TRUE(book.has_case(1));
  EXPECT_FALSE(book.done(0, 3)) << "twice";
}

TEST(CaseBook, AfterThreeFailuresACaseIsLeft) {
  CaseBook book(10);
  book.add(3, "three");
  for (int server = 0; server < 3; ++server) {
    EXPECT_EQ(taken(book, server), "three");
    EXPECT_EQ(book.failed(server), server == 2 ? std::optional<std::uint64_t>(3) : std::nullopt);
  }
  EXPECT_EQ(taken(book, 3), "");
  EXPECT_EQ(book.failed(3), std::nullopt) << "it has none";
}

TEST(CaseBook, AServerThatSaysNothingIsOverdue) {
  CaseBook book(10);
  book.add(3, "three");
  book.add(4, "four");
  taken(book, 0, 0);
  taken(book, 1, 0);
  book.heard(1, 8);
  book.heard(2, 8);
  EXPECT_TRUE(book.overdue(9).empty());
  EXPECT_EQ(book.overdue(11), std::vector<int>{0});
}

}  // namespace
}  // namespace jp::fleet
