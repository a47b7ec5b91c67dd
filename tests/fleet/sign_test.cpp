// What a process of a shared folder says of itself.
#include "fleet/sign.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>

#include "campaign/common/stopwatch.h"
#include "core/files.h"
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
    for (const char* part : {"begun", "deaths", "claims"}) EXPECT_TRUE(make_folder(folder_ / part).ok());
  }
  std::unique_ptr<Sign> sign(double patience = kPatience) {
    return std::make_unique<Sign>(
        folder_.path(), patience,
        [this](const std::string& why) {
          said_ = why;
          overdue_ = true;
        },
        milliseconds(2), [this] { return now_.load(); });
  }
  /// The clock of all signs.
  void set(double now) { now_ = now; }
  void wait_for_overdue() const {
    const campaign::Stopwatch waited;
    while (!overdue_ && waited.seconds() < kPatience) std::this_thread::sleep_for(milliseconds(2));
  }
  /// Until the only process there has looked at the clock some times more; false if it has died.
  bool beats() const {
    constexpr std::uint64_t kEnough = 3;
    const auto beat = [&] { return notes_in(folder_.path()).empty() ? 0 : notes_in(folder_.path()).front().beat; };
    const campaign::Stopwatch waited;
    for (const std::uint64_t first = beat(); !overdue_ && beat() < first + kEnough && waited.seconds() < kPatience;)
      std::this_thread::sleep_for(milliseconds(2));
    return !overdue_;
  }
  const std::string& said() const { return said_; }
  std::string folder() const { return folder_.path(); }

 private:
  const Folder folder_;
  std::string said_;  // read once `overdue_` is set
  std::atomic<bool> overdue_ = false;
  std::atomic<double> now_ = 0;
};

TEST(Sign, ASlotHasOneProcess) {
  Signs signs;
  auto one = signs.sign();
  auto other = signs.sign();
  EXPECT_TRUE(one->claim("0-10", 0).value());
  EXPECT_FALSE(other->claim("0-10", 0).value());
  EXPECT_TRUE(other->claim("0-10", 1).value());
  other->give_up();
  one->give_up();
  EXPECT_TRUE(other->claim("0-10", 0).value());
  other.reset();
  EXPECT_TRUE(one->claim("0-10", 0).value()) << "who ends gives up what it has";
}

// A process that wanted a claim and did not get it, or that was taken for dead, frees nothing of another's.
TEST(Sign, OnlyItsOwnClaimIsFreed) {
  Signs signs;
  auto one = signs.sign();
  auto other = signs.sign();
  EXPECT_TRUE(one->claim("0-10", 0).value());
  other->makes(3);
  ASSERT_EQ(notes_in(signs.folder()).size(), 2U);
  for (Note note : notes_in(signs.folder())) {
    if (note.test != 3U) continue;
    note.claim = "0-10.0";
    note_death(signs.folder(), note);
  }
  EXPECT_TRUE(is_there(claim_file(signs.folder(), "0-10.0")));
  free_claim(signs.folder(), "0-10.0", one->process());
  EXPECT_TRUE(other->claim("0-10", 0).value()) << "the first was taken for dead";
  one->give_up();
  EXPECT_TRUE(is_there(claim_file(signs.folder(), "0-10.0")));
}

TEST(Sign, WhatADeadProcessHadIsFree) {
  Signs signs;
  auto sign = signs.sign();
  EXPECT_TRUE(sign->claim("case-3", 0).value());
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
  EXPECT_TRUE(sign->claim("0-10", 0).value());
  sign->makes(4);
  EXPECT_EQ(sign->dies(Error{"why"}).message, "why");
  EXPECT_EQ(deaths_in(signs.folder()).in_test.at(4), 1);
  EXPECT_FALSE(is_there(claim_file(signs.folder(), "0-10.0")));
  EXPECT_TRUE(notes_in(signs.folder()).empty());
}

TEST(Sign, ATestThatTakesTooLongIsADeath) {
  Signs signs;
  auto sign = signs.sign(10);
  EXPECT_TRUE(sign->claim("0-10", 0).value());
  signs.set(100);
  sign->makes(4);
  signs.set(109);
  sign->alive();
  EXPECT_TRUE(signs.beats());
  signs.set(111);
  signs.wait_for_overdue();
  EXPECT_NE(signs.said().find("test 4 has taken 10 s"), std::string::npos) << signs.said();
  EXPECT_EQ(deaths_in(signs.folder()).in_test.at(4), 1);
  EXPECT_FALSE(is_there(claim_file(signs.folder(), "0-10.0")));
  sign.reset();
  EXPECT_TRUE(notes_in(signs.folder()).empty());
}

TEST(Sign, AStudyWithoutProgramsIsADeath) {
  Signs signs;
  auto sign = signs.sign(10);
  sign->studies(7);
  signs.set(9);
  sign->alive();
  signs.set(18);
  EXPECT_TRUE(signs.beats());
  signs.set(20);
  signs.wait_for_overdue();
  EXPECT_NE(signs.said().find("what test 7 showed"), std::string::npos) << signs.said();
  EXPECT_EQ(deaths_in(signs.folder()).in_case.at(7), 1);
}

TEST(Sign, WhoWaitsIsNeverOverdue) {
  Signs signs;
  auto sign = signs.sign(10);
  sign->makes(7);
  sign->waits();
  signs.set(1000);
  EXPECT_TRUE(signs.beats());
}

}  // namespace
}  // namespace jp::fleet
