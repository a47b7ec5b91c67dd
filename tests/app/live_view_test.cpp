// The live view of a campaign: what its lines say, and that they fit.
#include "app/live_view.h"

#include <gtest/gtest.h>

namespace jp::app {
namespace {

CampaignNow an_hour() {
  CampaignNow now;
  now.tally.seconds = 3725;
  now.tally.tests = 812;
  now.tally.kept = {.findings = 3, .known = 40, .flaky = 1};
  now.tally.time.phases = {{{Phase::kCompiled, "inductor"}, 30.0},
                           {{Phase::kEager}, 10.0},
                           {{Phase::kReduceNew}, 50.0},
                           {{Phase::kReduceKnown}, 10.0},
                           {{Phase::kStore}, 0.1}};
  now.jobs = {{"test 811 on inductor", 4}, {"reducing 3f2a", 75}, {"", 0}};
  return now;
}

Watched watched() {
  return {.limit = 8 * 3600,
          .confirmed = {{Mismatch::kDtype, 1}, {Mismatch::kValue, 2}},
          .tests_per_second = 1.5,
          .free = 41'300'000'000,
          .used = 12'300'000};
}

TEST(LiveView, TellsRateFindingsTimeDiskAndJobs) {
  EXPECT_EQ(
      live_lines(an_hour(), watched(), 24),
      (std::vector<std::string>{"1:02:05 of 8:00:00, 6:57:55 left · 812 tests, 1.5/s · 3 findings · 40 known · 1 flaky",
                                "findings  2 value · 1 dtype", "time      40 % tests · 50 % reducing · 10 % known bugs",
                                "disk      13 MB used · 41.3 GB free", "job 0     test 811 on inductor, 0:04",
                                "job 1     reducing 3f2a, 1:15", "job 2     draws the next test"}));
}

TEST(LiveView, WithoutTimeLimitOrFindings) {
  const std::vector<std::string> lines = live_lines({}, {}, 24);
  EXPECT_EQ(lines.at(0), "0:00 · 0 tests, 0.0/s · 0 findings · 0 known");
  EXPECT_EQ(lines.at(1), "findings  none yet");
  EXPECT_EQ(lines.size(), 3u) << "no disk that is known, no job";
}

TEST(LiveView, NeverHasMoreLinesThanTheTerminal) {
  for (std::size_t height = 1; height < 9; ++height) {
    const std::vector<std::string> lines = live_lines(an_hour(), watched(), height);
    EXPECT_EQ(lines.size(), std::min<std::size_t>(height, 7)) << height;
    EXPECT_TRUE(lines[0].starts_with("1:02:05 of")) << height;
  }
  EXPECT_EQ(live_lines(an_hour(), watched(), 5).back(), "and 3 lines more");
}

TEST(LiveView, TellsHowLongTheTestsThatAreLeftTake) {
  Watched all = watched();
  all.tests = 1000;
  EXPECT_TRUE(
      live_lines(an_hour(), all, 24)[0].starts_with("1:02:05 of 8:00:00, 2:05 left · 812 of 1000 tests, 1.5/s"));
  all.tests = 100'000'000;
  EXPECT_TRUE(live_lines(an_hour(), all, 24)[0].starts_with("1:02:05 of 8:00:00, 6:57:55 left"));
  all.limit = 3600;
  EXPECT_TRUE(live_lines(an_hour(), all, 24)[0].starts_with("1:02:05 of 1:00:00 · 812 of 100000000 tests"));
}

TEST(LiveView, APlainLineSaysTheSame) {
  EXPECT_EQ(
      plain_line(an_hour(), watched()),
      "1:02:05 of 8:00:00, 6:57:55 left · 812 tests, 1.5/s · 3 findings (2 value · 1 dtype) · 40 known · 1 flaky | "
      "40 % tests · 50 % reducing · 10 % known bugs | 13 MB used · 41.3 GB free | test 811 on inductor | "
      "reducing 3f2a");
  EXPECT_EQ(plain_line({}, {}), "0:00 · 0 tests, 0.0/s · 0 findings · 0 known");
}

TEST(LiveView, CutsBetweenCharacters) {
  EXPECT_EQ(cut("a · b", 3), "a ·");
  EXPECT_EQ(cut("a · b", 5), "a · b");
  EXPECT_EQ(cut("a · b", 99), "a · b");
  EXPECT_EQ(cut("·", 0), "");
}

TEST(LiveView, CountsRowsOfWrappedLines) {
  EXPECT_EQ(rows_of({"", "12345", "·····"}, 5), 3u);
  EXPECT_EQ(rows_of({"123456", "1234567890"}, 5), 4u);
}

}  // namespace
}  // namespace jp::app
