// Whom a test visits, and what has been run.
#include "campaign/sources/seed_source.h"

#include <gtest/gtest.h>

#include <set>

#include "campaign/settings.h"

namespace jp::campaign {
namespace {

Doors doors() { return {generated_door(5), table_door("exceptions").value()}; }

Visit visit(std::uint64_t test, bool draw) { return visit_of(doors(), draw, test, Choices(1).fork("test", test)); }

TEST(Doors, TakeTurns) {
  EXPECT_EQ(visit(0, false).door, 0u);
  EXPECT_FALSE(visit(0, false).seed);
  EXPECT_TRUE(visit(0, false).mutated);
  EXPECT_EQ(visit(1, false).door, 1u);
  EXPECT_EQ(visit(7, false).seed, 3u);
  EXPECT_FALSE(visit(7, false).mutated) << "the first time a table's programs are as they are";
}

TEST(Doors, WithAnEndBeginAgainMutated) {
  const std::uint64_t size = *doors()[1]->size();
  const Visit again = visit(2 * (size + 4) + 1, false);
  EXPECT_EQ(again.seed, 4u);
  EXPECT_TRUE(again.mutated);
}

TEST(Doors, DrawnSeedsDifferAndRepeat) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t test = 1; test < 41; test += 2) {
    EXPECT_EQ(visit(test, true).seed, visit(test, true).seed);
    EXPECT_TRUE(visit(test, true).mutated);
    seeds.insert(*visit(test, true).seed);
  }
  EXPECT_GT(seeds.size(), 10u);
}

TEST(Doors, AllTablesStandOneAfterTheOther) {
  const auto all = table_door("").value();
  const auto first = all->seed(0).lineage().seed;
  const auto last = all->seed(*all->size() - 1).lineage().seed;
  EXPECT_LT(first.table, last.table);
  EXPECT_EQ(table_door(last.table).value()->size(), last.seed + 1);
  EXPECT_FALSE(table_door("none").ok());
}

TEST(Doors, OpenAgainFromSettings) {
  CampaignOptions campaign;
  MakerOptions& options = campaign.maker;
  options.backends = {"eager"};
  options.backend_weights = {1};
  options.doors = doors();
  options.draw_seeds = true;
  codec::Json kept = settings_json(campaign);
  CampaignOptions again;
  ASSERT_TRUE(read_settings(kept, again).ok());
  const MakerOptions& read = again.maker;
  ASSERT_EQ(read.doors.size(), 2u);
  EXPECT_TRUE(read.draw_seeds);
  EXPECT_EQ(read.doors[0]->seed(9).source(), options.doors[0]->seed(9).source());
  EXPECT_EQ(read.doors[1]->name(), "tables:exceptions");

  kept.erase("doors");
  kept.erase("draw_seeds");
  kept["operators"] = 7;
  CampaignOptions old;
  ASSERT_TRUE(read_settings(kept, old).ok());
  ASSERT_EQ(old.maker.doors.size(), 1u) << "settings of before there were doors";
  EXPECT_EQ(old.maker.doors[0]->seed(9).lineage().seed.operators, 7);
}

TEST(SeedLog, CountsSeedsOnce) {
  SeedLog log(doors());
  for (std::uint64_t seed : {3u, 3u, 4u}) log.add({.door = 1, .seed = seed, .mutated = true});
  log.add({.door = 0, .seed = std::nullopt, .mutated = true});
  log.add({.door = 0, .seed = std::nullopt, .mutated = true});
  EXPECT_EQ(log.counts()[1].run, 2u);
  EXPECT_EQ(log.counts()[0].run, 2u);
  EXPECT_EQ(log.counts()[0].size, std::nullopt);
}

}  // namespace
}  // namespace jp::campaign
