// What the answer of /api/campaign counts, and that it is made anew when whoever wrote the campaign is gone.
#include "explore/overview.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "campaign/feedback/test_log.h"
#include "codec/codec.h"
#include "report/evidence.h"
#include "report/files.h"
#include "tests/report/store_build.h"

namespace jp::explore {
namespace {

using codec::Json;
using report::test::created;
using report::test::Folder;

/// A campaign of five tests, each of which met a finding: two confirmed ones, of which a person has put one aside, a
/// flaky one, a candidate, and sightings of a known bug.
void fill(const Folder& folder, report::Store& store) {
  const std::vector<std::pair<std::string, Finding::Status>> met = {{"output", Finding::Status::kConfirmed},
                                                                    {"inputs", Finding::Status::kConfirmed},
                                                                    {"gradients", Finding::Status::kFlaky},
                                                                    {"state", Finding::Status::kCandidate},
                                                                    {"printed", Finding::Status::kKnown}};
  auto log =
      campaign::TestLog::open(folder.path(), {.epochs = campaign::Epochs(10)}, [](std::uint64_t) { return true; });
  ASSERT_TRUE(log.ok());
  std::uint64_t test = 0;
  for (const auto& [where, status] : met) {
    ASSERT_TRUE(store.add_finding(report::test::finding(where, status), test).ok());
    const campaign::TestRecord row{.test = test,
                                   .seed_source = "generated",
                                   .oracle = "eager_vs_compiled",
                                   .backend = "aot_eager",
                                   .verdict = "diverge",
                                   .seconds = 1};
    ASSERT_TRUE(log.value().add({row}).ok());
    ++test;
  }
  ASSERT_TRUE(report::keep_label(folder.path(), report::test::finding("inputs").signature.id(), {"wontfix", ""}).ok());
}

TEST(Overview, CountsEachFindingOnceAndKnownOnesApart) {
  const Folder folder;
  const auto store = created(folder);
  fill(folder, *store);
  const Result<Json> overview = overview_json(folder.path());
  ASSERT_TRUE(overview.ok()) << overview.error().message;
  const Json& summary = overview.value()["summary"];
  EXPECT_EQ(summary["confirmed"], 1);
  EXPECT_EQ(summary["flaky"], 1);
  EXPECT_EQ(summary["candidate"], 1);
  EXPECT_EQ(summary["known"], 2);
  EXPECT_EQ(overview.value()["findings"].size(), 5U) << "those that are known are listed, too";
  const Json& series = overview.value()["series"];
  ASSERT_EQ(series.size(), 5U);
  EXPECT_EQ(series[0]["findings"], 1);
  EXPECT_EQ(series[1]["findings"], 1) << "one that was put aside";
  EXPECT_EQ(series[4]["findings"], 3) << "a known bug";
}

/// The summary, once it has so many tests under way; the last one that was seen if it never has.
Json summary_with(Overview& overview, int under_way) {
  Json summary;
  for (int i = 0; i < 500; ++i) {
    const Result<Json> now = overview.get();
    if (!now.ok()) return now.error().message;
    summary = now.value()["summary"];
    if (summary["under_way"] == under_way) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return summary;
}

// A kill changes no file.
TEST(Overview, NothingIsUnderWayInACampaignThatWasKilled) {
  const Folder folder;
  ASSERT_TRUE(created(folder)->begin_test(0, report::test::kProgram, report::test::kPlan).ok());
  auto lock = report::Lock::take(folder.path());
  ASSERT_TRUE(lock.ok());
  Overview overview(folder.path());
  const Json running = summary_with(overview, 1);
  EXPECT_EQ(running["under_way"], 1) << running;
  lock.value().reset();
  const Json killed = summary_with(overview, 0);
  EXPECT_EQ(killed["under_way"], 0) << killed;
  EXPECT_EQ(killed["unfinished"], 1) << killed;
}

}  // namespace
}  // namespace jp::explore
