// Findings of several campaigns in one folder: each bug once, nothing lost, nothing counted twice.
#include "campaign/merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "campaign/making/options.h"
#include "campaign/settings.h"
#include "codec/codec.h"
#include "report/reduced.h"
#include "report/store.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::finding_of;
using report::test::Folder;
using report::test::program_of;

constexpr const char* kRelu = "def program(x):\n    return x.relu()\n";
constexpr const char* kExp = "def program(x):\n    return x.exp()\n";
constexpr const char* kBoth = "def program(x):\n    return x.relu().exp()\n";

Finding wrong_value() { return finding_of(kBoth, "inductor", Mismatch::kValue, "output"); }

// A campaign with one finding of that status, met by these tests and reduced to that program ("": not reduced).
void campaign(const std::string& folder, int seed, Finding finding, const std::vector<std::uint64_t>& tests,
              const std::string& reduced) {
  auto store = report::Store::create(folder, {{"seed", seed}});
  ASSERT_TRUE(store.ok()) << store.error().message;
  ASSERT_TRUE(store.value()->add_finding(finding, tests.front()).ok());
  for (const std::uint64_t test : tests) ASSERT_TRUE(store.value()->sighted(finding.signature.id(), test).value());
  if (reduced.empty()) return;
  ASSERT_TRUE(report::keep_reduced(folder, finding.signature.id(), program_of(reduced)).ok());
}

std::vector<report::FindingRow> merged(const Folder& work, const std::vector<std::string>& names,
                                       const std::string& into = "all") {
  std::vector<std::string> folders;
  for (const std::string& name : names) folders.push_back(work / name);
  const auto done = merge(folders, work / into);
  EXPECT_TRUE(done.ok()) << done.error().message;
  auto rows = report::list_findings(work / into);
  EXPECT_TRUE(rows.ok());
  return rows.value();
}

TEST(Merge, OneBugOfTwoCampaignsIsOneFinding) {
  const Folder work;
  campaign(work / "a", 1, wrong_value(), {3, 5}, kRelu);
  campaign(work / "b", 2, wrong_value(), {3}, kRelu);
  const std::vector<report::FindingRow> rows = merged(work, {"a", "b"});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].sightings, 3);
  EXPECT_EQ(rows[0].first_test, 3u);
  EXPECT_EQ(report::load_reduced(work / "all", rows[0].id)->source(), kRelu);
  EXPECT_EQ(report::list_sightings(work / "all").value()[rows[0].id], (std::set<std::uint64_t>{3, 5, 6 + 3}));
}

TEST(Merge, VerdictsOfCampaignsOfTheSameSettingsAreCompared) {
  const Folder work;
  const auto campaign = [&](const char* name, int seed, double limit, const std::vector<const char*>& verdicts) {
    const codec::Json settings = {{"seed", seed}, {"limits", {{"seconds", limit}}}};
    auto store = std::move(report::Store::create(work / name, settings)).value();
    for (std::size_t test = 0; test < verdicts.size(); ++test)
      ASSERT_TRUE(!*verdicts[test] || store->skip_test(test, verdicts[test]).ok());
  };
  campaign("a", 1, 10, {"rejected", "internal_error"});
  campaign("b", 1, 20, {"rejected", "rejected", "rejected"});
  campaign("c", 2, 10, {"internal_error"});
  campaign("d", 1, 10, {"", "internal_error", "internal_error"});
  const auto done = merge({work / "a", work / "b", work / "c", work / "d"}, work / "all");
  ASSERT_TRUE(done.ok()) << done.error().message;
  using Tests = std::vector<std::uint64_t>;
  EXPECT_EQ(done.value()[0].unlike, Tests{});
  EXPECT_EQ(done.value()[1].unlike, Tests{1});
  EXPECT_EQ(done.value()[2].unlike, Tests{});
  EXPECT_EQ(done.value()[3].unlike, Tests{2}) << "the first verdict counts";
}

// Each campaign gives the signature of wrong values to the first bug that it meets.
TEST(Merge, TwoBugsOfOneSignatureAreTwoFindings) {
  const Folder work;
  campaign(work / "a", 1, wrong_value(), {3}, kRelu);
  campaign(work / "b", 2, wrong_value(), {4}, kExp);
  campaign(work / "c", 3, wrong_value(), {5}, kExp);
  const std::vector<report::FindingRow> rows = merged(work, {"a", "b", "c"});
  ASSERT_EQ(rows.size(), 2u);
  std::map<std::string, std::int64_t> sightings;
  for (const report::FindingRow& row : rows) {
    sightings[report::load_reduced(work / "all", row.id)->source()] = row.sightings;
    EXPECT_EQ(report::load_finding(work / "all", row.id).value().signature.id(), row.id);
  }
  EXPECT_EQ(sightings, (std::map<std::string, std::int64_t>{{kRelu, 1}, {kExp, 2}}));
}

TEST(Merge, TheConfirmedOneIsKept) {
  const Folder work;
  Finding flaky = wrong_value();
  flaky.status = Finding::Status::kFlaky;
  campaign(work / "a", 1, flaky, {1}, "");
  campaign(work / "b", 2, wrong_value(), {1}, kRelu);
  for (const auto& names : {std::vector<std::string>{"a", "b"}, {"b", "a"}}) {
    const std::vector<report::FindingRow> rows = merged(work, names, "all" + names.front());
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].status, "confirmed");
    EXPECT_EQ(rows[0].sightings, 2);
  }
}

TEST(Merge, CampaignsOfTheSameSettingsShareTheirTests) {
  const Folder work;
  campaign(work / "a", 1, wrong_value(), {3, 4}, kRelu);
  campaign(work / "b", 1, wrong_value(), {4, 7}, kRelu);
  campaign(work / "c", 2, wrong_value(), {4}, kRelu);
  const std::vector<report::FindingRow> rows = merged(work, {"a", "b", "c"});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(report::list_sightings(work / "all").value()[rows[0].id], (std::set<std::uint64_t>{3, 4, 7, 8 + 4}));
}

TEST(Merge, ALongerCampaignHasTheTestsOfAShorterOne) {
  const Folder work;
  const auto campaign = [&](const char* name, int tests, const char* verdict) {
    auto store = std::move(report::Store::create(work / name, {{"seed", 1}, {"tests", tests}})).value();
    ASSERT_TRUE(store->skip_test(0, verdict).ok());
  };
  campaign("a", 100, "rejected");
  campaign("b", 200, "internal_error");
  const auto done = merge({work / "a", work / "b"}, work / "all");
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value()[1].unlike, (std::vector<std::uint64_t>{0}));
}

TEST(Merge, RefusesWhatItCannotJoin) {
  const Folder work;
  campaign(work / "a", 1, wrong_value(), {3}, kRelu);
  campaign(work / "b", 2, wrong_value(), {3}, kRelu);
  EXPECT_FALSE(merge({work / "a", work / "none"}, work / "all").ok());
  EXPECT_FALSE(std::filesystem::exists(work / "all"));
  const auto twice = merge({work / "a", work / "./a"}, work / "all");
  ASSERT_FALSE(twice.ok());
  EXPECT_NE(twice.error().message.find("name it once"), std::string::npos) << twice.error().message;
  EXPECT_FALSE(merge({work / "a", work / "b"}, work / "a").ok());
  std::filesystem::remove(work / ("b/findings/" + wrong_value().signature.id() + "/finding.json"));
  EXPECT_FALSE(merge({work / "a", work / "b"}, work / "all").ok()) << "a damaged finding is not left out";
  EXPECT_FALSE(std::filesystem::exists(work / "all"));
}

TEST(Merge, LeavesWhatWasInTheFolder) {
  const Folder work;
  campaign(work / "a", 1, wrong_value(), {3}, kRelu);
  std::filesystem::create_directories(work / "all/findings/mine");
  const auto done = merge({work / "a"}, work / "all");
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().message.find("take a new folder"), std::string::npos) << done.error().message;
  EXPECT_TRUE(std::filesystem::exists(work / "all/findings/mine"));
}

TEST(Merge, WhatItMakesCanBeMergedAgainAndNotContinued) {
  const Folder work;
  campaign(work / "a", 1, wrong_value(), {3}, kRelu);
  campaign(work / "b", 2, wrong_value(), {3}, kExp);
  campaign(work / "c", 3, wrong_value(), {3}, kExp);
  merged(work, {"a", "b"}, "two");
  EXPECT_EQ(merged(work, {"two", "c"}).size(), 2u);
  CampaignOptions options;
  const Status read = read_settings(report::read_campaign_settings(work / "two").value(), options);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("merged findings"), std::string::npos);
}

}  // namespace
}  // namespace jp::campaign
