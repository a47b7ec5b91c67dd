// Where a job's time goes: the clock, and what a campaign stores of it.
#include "campaign/common/phases.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "campaign/common/job_clocks.h"
#include "codec/codec.h"
#include "core/files.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

/// A clock whose time passes only when the test says so.
class Phases : public testing::Test {
 protected:
  double now_ = 100;
  PhaseClock clock_{[this] { return now_; }};
};

TEST_F(Phases, TheInnermostScopeIsCharged) {
  const UseClock use(clock_);
  now_ += 1;
  {
    const PhaseScope mutate(Phase::kMutate);
    now_ += 2;
    {
      const PhaseScope profile(Phase::kProfile);
      now_ += 4;
    }
    now_ += 8;
  }
  now_ += 16;
  EXPECT_EQ(clock_.table(), (PhaseTable{{{Phase::kMutate}, 10}, {{Phase::kProfile}, 4}, {{Phase::kOther}, 17}}));
}

TEST_F(Phases, AnExceptionEndsItsScopes) {
  const UseClock use(clock_);
  try {
    const PhaseScope reduce(Phase::kReduceNew);
    now_ += 1;
    throw std::runtime_error("broken");
  } catch (const std::runtime_error&) {
    now_ += 2;
  }
  EXPECT_EQ(clock_.table(), (PhaseTable{{{Phase::kReduceNew}, 1}, {{Phase::kOther}, 2}}));
}

TEST_F(Phases, WhatMovesKeepsTheWhole) {
  const UseClock use(clock_);
  const PhaseLine compiled{Phase::kCompiled, "inductor"};
  {
    const PhaseScope judge(Phase::kJudge);
    now_ += 8;
    move_phase({Phase::kJudge}, compiled, 5);
    move_phase(compiled, {Phase::kCxx}, 2);
  }
  EXPECT_EQ(clock_.table(),
            (PhaseTable{{{Phase::kJudge}, 3}, {compiled, 3}, {{Phase::kCxx}, 2}, {{Phase::kOther}, 0}}));
  EXPECT_EQ(total(clock_.table()), 8);
}

TEST_F(Phases, AnotherThreadHasItsOwnClock) {
  const UseClock use(clock_);
  std::thread([&] {
    const PhaseScope idle(Phase::kIdle);
    now_ += 1;
    move_phase({Phase::kIdle}, {Phase::kStore}, 1);
  }).join();
  EXPECT_EQ(clock_.table(), (PhaseTable{{{Phase::kOther}, 1}}));
}

TEST_F(Phases, HaveNamesThatAreReadBack) {
  for (int i = 0; i <= static_cast<int>(Phase::kOther); ++i) {
    const auto phase = static_cast<Phase>(i);
    EXPECT_EQ(phase_named(phase_name(phase)), phase) << phase_name(phase);
  }
  EXPECT_EQ(phase_named("dream"), std::nullopt);
}

TEST(JobClocks, AddToWhatEarlierStartsStored) {
  report::test::Folder folder;
  EXPECT_TRUE(load_job_time(folder.path()).value().phases.empty()) << "of an older version";
  const PhaseLine compiled{Phase::kCompiled, "file:/a b.py"};
  const JobTime earlier{.job_seconds = 7, .phases = {{{Phase::kDraw}, 2.5}, {compiled, 4}, {{Phase::kOther}, 0.5}}};
  ASSERT_TRUE(write_file(job_time_file(folder.path()), codec::text(to_json(earlier))).ok());
  EXPECT_EQ(load_job_time(folder.path()).value().phases, earlier.phases);

  auto clocks = JobClocks::start(folder.path(), 2).value();
  clocks->of(0).move({Phase::kOther}, {Phase::kDraw}, 1);
  clocks->of(1).move({Phase::kOther}, {Phase::kStore}, 3);
  ASSERT_TRUE(clocks->keep().ok());
  const JobTime all = load_job_time(folder.path()).value();
  EXPECT_EQ(all.phases.at({Phase::kDraw}), 3.5);
  EXPECT_EQ(all.phases.at({Phase::kStore}), 3);
  EXPECT_EQ(all.phases.at(compiled), 4);
  EXPECT_GE(all.job_seconds, 7);
  EXPECT_FALSE(clocks->time().phases.contains(compiled)) << "of this start";
}

TEST(JobClocks, SayWhichFileIsDamaged) {
  report::test::Folder folder;
  ASSERT_TRUE(write_file(job_time_file(folder.path()), "{\"phases\": 3}").ok());
  const auto loaded = load_job_time(folder.path());
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.error().message.find("phases.json"), std::string::npos) << loaded.error().message;
  EXPECT_FALSE(JobClocks::start(folder.path(), 1).ok());
}

}  // namespace
}  // namespace jp::campaign
