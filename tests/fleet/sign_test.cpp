// What a process of a shared folder says of itself.
#include "fleet/sign.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "campaign/common/stopwatch.h"
#include "report/files.h"
#include "tests/report/build.h"

namespace jp::fleet {
namespace {

using report::test::Folder;
using std::chrono::milliseconds;

constexpr double kPatience = 600;

/// A folder for processes, and signs in it.
class Signs {
 public:
  Signs() {
    for (const char* part : {"begun", "deaths", "claims"}) EXPECT_TRUE(report::make_folder(folder_ / part).ok());
  }
  std::unique_ptr<Sign> sign(double patience = kPatience) {
    return std::make_unique<Sign>(
        folder_.path(), patience,
        [this](const std::string& why) {
          said_ = why;
          overdue_ = true;
        },
        milliseconds(2));
  }
  void wait_for_overdue() const {
    const campaign::Stopwatch waited;
    while (!overdue_ && waited.seconds() < kPatience) std::this_thread::sleep_for(milliseconds(2));
  }
  const std::string& said() const { return said_; }
  std::string folder() const { return folder_.path(); }

 private:
  const Folder folder_;
  std::string said_;  // read once `overdue_` is set
  std::atomic<bool> overdue_ = false;
};

TEST(Sign, TwoProcessesMayWorkOnOneRange) {
  Signs signs;
  auto one = signs.sign();
  auto other = signs.sign();
  auto third = signs.sign();
  EXPECT_TRUE(one->claim("0-10").value());
  EXPECT_TRUE(other->claim("0-10").value());
  EXPECT_FALSE(third->claim("0-10").value());
  EXPECT_TRUE(third->claim("10-20").value());
  one->give_up();
  third->give_up();
  EXPECT_TRUE(third->claim("0-10").value());
  third.reset();
  EXPECT_TRUE(one->claim("0-10").value()) << "who ends gives up what it has";
}

TEST(Sign, WhatADeadProcessHadIsFree) {
  Signs signs;
  auto sign = signs.sign();
  EXPECT_TRUE(sign->claim("case-3").value());
  sign->studies(3);
  const std::vector<Note> notes = notes_in(signs.folder());
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].of_case, 3U);
  EXPECT_TRUE(is_there(claim_file(signs.folder(), "case-3.0")));
  note_death(signs.folder(), notes[0]);
  EXPECT_FALSE(is_there(claim_file(signs.folder(), "case-3.0")));
  EXPECT_EQ(deaths_in(signs.folder()).in_case.at(3), 1);
}

TEST(Sign, AnErrorIsADeath) {
  Signs signs;
  auto sign = signs.sign();
  EXPECT_TRUE(sign->claim("0-10").value());
  sign->makes(4);
  EXPECT_EQ(sign->dies(Error{"why"}).message, "why");
  EXPECT_EQ(deaths_in(signs.folder()).in_test.at(4), 1);
  EXPECT_FALSE(is_there(claim_file(signs.folder(), "0-10.0")));
  EXPECT_TRUE(notes_in(signs.folder()).empty());
}

TEST(Sign, ATestThatTakesTooLongIsADeath) {
  Signs signs;
  auto sign = signs.sign(0.02);
  EXPECT_TRUE(sign->claim("0-10").value());
  sign->makes(4);
  signs.wait_for_overdue();
  EXPECT_NE(signs.said().find("test 4 has taken"), std::string::npos) << signs.said();
  EXPECT_EQ(deaths_in(signs.folder()).in_test.at(4), 1);
  EXPECT_FALSE(is_there(claim_file(signs.folder(), "0-10.0")));
  sign.reset();
  EXPECT_TRUE(notes_in(signs.folder()).empty());
}

TEST(Sign, AStudyWithoutProgramsIsADeath) {
  Signs signs;
  auto sign = signs.sign(0.02);
  sign->studies(7);
  sign->alive();
  signs.wait_for_overdue();
  EXPECT_NE(signs.said().find("what test 7 showed"), std::string::npos) << signs.said();
  EXPECT_EQ(deaths_in(signs.folder()).in_case.at(7), 1);
}

}  // namespace
}  // namespace jp::fleet
