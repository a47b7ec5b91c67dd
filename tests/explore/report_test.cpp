// What a report leaves out of a campaign that is too large for it, and what it has of a finding.
#include "explore/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "codec/codec.h"
#include "report/reduced.h"
#include "report/store.h"
#include "tests/report/build.h"

namespace jp::explore {
namespace {

using codec::Json;

Json rows(int count) {
  Json made = Json::array();
  for (int i = 0; i < count; ++i)
    made.push_back({{"name", fmt::format("row {}", i)}, {"findings", i % 7}, {"tests", i}});
  return made;
}

Json overview(int findings, int pairs) {
  return {{"findings", rows(findings)},
          {"statistics", {{"pair", rows(pairs)}, {"mutation", rows(20)}}},
          {"series", {1, 2}}};
}

TEST(Report, ACampaignThatFitsKeepsAllOfItsRows) {
  Json json = overview(30, 40);
  cut_tables(json, 100'000);
  EXPECT_EQ(json["cut"], Json::object());
  json.erase("cut");
  EXPECT_EQ(json, overview(30, 40));
}

TEST(Report, TheLongestTablesLoseTheirLastRows) {
  constexpr std::size_t kMost = 20'000;
  Json json = overview(3000, 5000);
  cut_tables(json, kMost);
  EXPECT_LE(codec::text(json).size(), kMost);
  EXPECT_GT(codec::text(json).size(), kMost / 3);
  EXPECT_EQ(json["findings"].size() + json["cut"]["findings"].get<std::size_t>(), 3000U);
  EXPECT_EQ(json["statistics"]["pair"].size() + json["cut"]["pair"].get<std::size_t>(), 5000U);
  EXPECT_EQ(json["statistics"]["mutation"], rows(20)) << "a short table was cut";
  EXPECT_FALSE(json["cut"].contains("mutation"));
  EXPECT_EQ(json["findings"][0], rows(1)[0]) << "findings stand in another order";
  EXPECT_EQ(json["statistics"]["pair"][0]["tests"], 4997) << "not the pair with the most findings, then tests";
}

TEST(Report, WhatHasNoRowsToLoseStays) {
  Json json = overview(1, 1);
  cut_tables(json, 10);
  EXPECT_EQ(json["findings"].size(), 1U);
}

// The report's exports of one finding that was reduced: nothing of it was measured.
Json exports_of_reduced(bool verified) {
  const report::test::Folder folder;
  const Finding finding = report::test::finding_of("def program(x):\n    return x.relu(), x.exp(), x.tanh()\n",
                                                   "inductor", Mismatch::kValue, "output[1]");
  const auto store = report::Store::create(folder.path(), {{"seed", 1}});
  EXPECT_TRUE(store.ok() && store.value()->add_finding(finding, 1).ok());
  const std::string id = finding.signature.id();
  const report::ReducedProgram small{report::test::program_of("def program(x):\n    return x.exp()\n"), {}};
  EXPECT_TRUE(report::keep_reduced_form(folder.path(), id,
                                        {.best = small, .finished = true, .verified = verified, .bounded = small})
                  .ok());
  Result<Json> data = report_data(folder.path(), id, kMostReport);
  EXPECT_TRUE(data.ok());
  return data.ok() ? data.value()["findings"][0]["exports"] : Json();
}

TEST(Report, AVerifiedReductionIsWhatIsExported) {
  const Json exports = exports_of_reduced(true);
  for (const char* form : {"repro", "unittest"}) {
    const std::string text = exports[form]["text"].get<std::string>();
    EXPECT_NE(text.find("return x.exp()"), std::string::npos) << text;
    EXPECT_EQ(text.find("relu"), std::string::npos) << text;
    EXPECT_EQ(text.find("output[1]"), std::string::npos) << "it names a place of the program as found: " << text;
    EXPECT_EQ(text.find("#   eager:"), std::string::npos) << "it names values of the program as found: " << text;
  }
}

TEST(Report, AReductionThatIsNotVerifiedIsNotExported) {
  const Json exports = exports_of_reduced(false);
  EXPECT_NE(exports["repro"]["text"].get<std::string>().find("relu"), std::string::npos);
}

}  // namespace
}  // namespace jp::explore
