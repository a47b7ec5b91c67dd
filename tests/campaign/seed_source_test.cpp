// Which seed a test selects, and how many have been run.
#include "campaign/sources/seed_source.h"

#include <gtest/gtest.h>

#include <set>

#include "campaign/settings.h"
#include "codec/codec.h"

namespace jp::campaign {
namespace {

SeedSources seed_sources() { return {generated_source({5, 5}), table_source("exceptions").value()}; }

SeedSelection selection(std::uint64_t test, bool draw) {
  return selection_of(seed_sources(), draw, test, Choices(1).fork("test", test));
}

TEST(SeedSources, TakeTurns) {
  EXPECT_EQ(selection(0, false).seed_source, 0u);
  EXPECT_FALSE(selection(0, false).seed);
  EXPECT_TRUE(selection(0, false).mutated);
  EXPECT_EQ(selection(1, false).seed_source, 1u);
  EXPECT_EQ(selection(7, false).seed, 3u);
  EXPECT_FALSE(selection(7, false).mutated) << "the first time a table's programs are as they are";
}

TEST(SeedSources, WithAnEndBeginAgainMutated) {
  const std::uint64_t size = *seed_sources()[1]->size();
  const SeedSelection again = selection(2 * (size + 4) + 1, false);
  EXPECT_EQ(again.seed, 4u);
  EXPECT_TRUE(again.mutated);
}

TEST(SeedSources, DrawnSeedsDifferAndRepeat) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t test = 1; test < 41; test += 2) {
    EXPECT_EQ(selection(test, true).seed, selection(test, true).seed);
    EXPECT_TRUE(selection(test, true).mutated);
    seeds.insert(*selection(test, true).seed);
  }
  EXPECT_GT(seeds.size(), 10u);
}

TEST(SeedSources, AllTablesStandOneAfterTheOther) {
  const auto all = table_source("").value();
  const auto first = all->seed(0).lineage().seed;
  const auto last = all->seed(*all->size() - 1).lineage().seed;
  EXPECT_LT(first.table, last.table);
  EXPECT_EQ(table_source(last.table).value()->size(), last.seed + 1);
  EXPECT_FALSE(table_source("none").ok());
}

TEST(SeedSources, OpenAgainFromSettings) {
  CampaignOptions campaign;
  MakerOptions& options = campaign.maker;
  options.backends = {"eager"};
  options.backend_weights = {1};
  options.seed_sources = seed_sources();
  options.draw_seeds = true;
  codec::Json kept = settings_json(campaign);
  CampaignOptions again;
  ASSERT_TRUE(read_settings(kept, again).ok());
  const MakerOptions& read = again.maker;
  ASSERT_EQ(read.seed_sources.size(), 2u);
  EXPECT_TRUE(read.draw_seeds);
  EXPECT_EQ(read.seed_sources[0]->seed(9).source(), options.seed_sources[0]->seed(9).source());
  EXPECT_EQ(read.seed_sources[1]->name(), "tables:exceptions");

  kept.erase("sources");
  kept.erase("draw_seeds");
  kept["operators"] = 7;
  CampaignOptions old;
  ASSERT_TRUE(read_settings(kept, old).ok());
  ASSERT_EQ(old.maker.seed_sources.size(), 1u) << "settings of before there were several sources";
  EXPECT_EQ(old.maker.seed_sources[0]->seed(9).lineage().seed.operators, 7);
}

TEST(SeedSources, HalfOfTheBrokenSeedsHaveASingleOperator) {
  const auto seed_source = generated_source({12, 12});
  int single = 0;
  for (std::uint64_t test = 0; test < 200; ++test) {
    const Program drawn = *drawn_broken_seed(*seed_source, Choices(3).fork("test", test), 0);
    EXPECT_TRUE(drawn.lineage().seed.broken);
    single += drawn.lineage().seed.operators == 1;
  }
  EXPECT_GT(single, 60);
  EXPECT_LT(single, 140);
  EXPECT_FALSE(drawn_broken_seed(*table_source("exceptions").value(), Choices(3), 0));
}

TEST(SeedLog, CountsSeedsOnce) {
  SeedLog log(seed_sources());
  for (std::uint64_t seed : {3u, 3u, 4u}) log.add({.seed_source = 1, .seed = seed, .mutated = true});
  log.add({.seed_source = 0, .seed = std::nullopt, .mutated = true});
  log.add({.seed_source = 0, .seed = std::nullopt, .mutated = true});
  EXPECT_EQ(log.counts()[1].run, 2u);
  EXPECT_EQ(log.counts()[0].run, 2u);
  EXPECT_EQ(log.counts()[0].size, std::nullopt);
}

}  // namespace
}  // namespace jp::campaign
