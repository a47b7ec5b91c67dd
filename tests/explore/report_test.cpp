// What a report leaves out of a campaign that is too large for it.
#include "explore/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "codec/codec.h"

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

}  // namespace
}  // namespace jp::explore
