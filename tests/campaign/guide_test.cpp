// Guided campaigns: buckets of counters, rows on the disk, tables by epoch, seeds drawn by them.
#include "campaign/feedback/guide.h"

#include <gtest/gtest.h>

#include <fstream>

#include "campaign/feedback/guided_run.h"
#include "seedgen/broken.h"
#include "seedgen/generate.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::Folder;

Outcome finished(std::int64_t graphs, std::map<std::string, std::int64_t> breaks = {}, std::int64_t recompiles = 0) {
  Counters counters{.known = true, .graphs = graphs, .graph_breaks = std::move(breaks), .others = {}};
  if (recompiles > 0) counters.others["recompiles"] = recompiles;
  return {.role = "compiled", .ending = Finished{{}, counters, {}}};
}

GuideRow row_of(std::uint64_t test, std::vector<std::string> buckets = {}) {
  return {test, seedgen::generate(test + 1000, {}).value().lineage().seed, std::move(buckets)};
}

TEST(Guidance, NamesComeBack) {
  for (Guidance guidance : {Guidance::kNone, Guidance::kCoverage, Guidance::kPaths, Guidance::kCounters})
    EXPECT_EQ(guidance_named(guidance_name(guidance)), guidance);
  EXPECT_FALSE(guidance_named("chance").has_value());
}

TEST(Buckets, CountsFallTogetherAndReasonsLoseTheirNumbers) {
  EXPECT_EQ(counter_buckets({finished(2), finished(5, {{"call at line 17\nmore", 1}}, 3)}),
            (std::vector<std::string>{"graph_break: call at line ", "graphs 2", "graphs 4+", "recompiles 3"}));
  EXPECT_EQ(counter_buckets({finished(0, {{"none of them", 0}})}), std::vector<std::string>{});
  EXPECT_EQ(counter_buckets({finished(7)}), counter_buckets({finished(4)}));
  EXPECT_EQ(counter_buckets({finished(31)}), std::vector<std::string>{"graphs 16+"});
  Outcome unknown = finished(2);
  std::get<Finished>(unknown.ending).counters.known = false;
  EXPECT_TRUE(counter_buckets({unknown, {.role = "compiled", .ending = Died{}}}).empty());
}

TEST(GuideTable, TheFirstOfABucketIsWorthMore) {
  const std::map<std::uint64_t, GuideRow> rows = {
      {0, row_of(0, {"graphs 1"})}, {1, row_of(1, {"graphs 1"})}, {2, row_of(2, {"graphs 2"})}};
  auto features = [&](std::uint64_t test) {
    return seedgen::coverage_of(seedgen::generate_graph(test + 1000, {}), false);
  };
  GuideTable table(Guidance::kCounters);
  table.learn(rows, 0, 3);
  for (std::uint64_t test = 0; test < 3; ++test)
    for (seedgen::Feature feature : features(test)) EXPECT_TRUE(table.known.has(feature));
  for (seedgen::Feature feature : features(2)) EXPECT_TRUE(table.worth.has(feature));
  seedgen::Coverage first;
  for (std::uint64_t test : {0, 2})
    for (seedgen::Feature feature : features(test)) first.add(feature);
  EXPECT_EQ(table.worth.size(), first.size()) << "nothing of the second test's own";
  GuideTable plain;
  plain.learn(rows, 0, 3);
  EXPECT_EQ(plain.known.size(), table.known.size());
  EXPECT_EQ(plain.worth.size(), 0u);
  GuideTable with_paths(Guidance::kPaths);
  with_paths.learn(rows, 0, 3);
  EXPECT_GT(with_paths.known.size(), plain.known.size()) << "paths of three operators too";
}

std::vector<seedgen::Feature> known_at(GuideLog& log, std::uint64_t epoch) { return log.table(epoch)->known.sorted(); }

TEST(GuideTable, WhatStepsTouchedIsKnownUnlessItIsWorthRepeating) {
  GuideRow first = row_of(0, {"graphs 1"});
  first.step_features = {"wrap_try assignment add"};
  GuideRow second = row_of(1, {"graphs 1"});
  second.step_features = {"wrap_with call relu", "wrap_try assignment add_"};
  const std::map<std::uint64_t, GuideRow> rows = {{0, first}, {1, second}};
  const std::set<std::string> of_second(second.step_features.begin(), second.step_features.end());
  GuideTable counters(Guidance::kCounters);
  counters.learn(rows, 0, 2);
  EXPECT_EQ(counters.step_features, of_second);
  GuideTable coverage(Guidance::kCoverage);
  coverage.learn(rows, 0, 2);
  EXPECT_EQ(coverage.step_features.size(), 3u);
}

TEST(GuideLog, TablesComeFromEpochsUpToTheLastButOne) {
  Folder folder;
  auto all = [](std::uint64_t) { return true; };
  GuideLog log = GuideLog::open(folder.path(), Guidance::kCoverage, Epochs(2), all).value();
  // The order in which tests end doesn't matter.
  for (std::uint64_t test : {1, 0, 3, 2, 5, 4}) ASSERT_TRUE(log.add(row_of(test)).ok());
  EXPECT_TRUE(known_at(log, 0).empty());
  EXPECT_TRUE(known_at(log, 1).empty());
  GuideTable two;
  two.learn({{0, row_of(0)}, {1, row_of(1)}}, 0, 2);
  EXPECT_EQ(known_at(log, 2), two.known.sorted());
  GuideTable four = two;
  four.learn({{2, row_of(2)}, {3, row_of(3)}}, 2, 4);
  EXPECT_EQ(known_at(log, 3), four.known.sorted());
  EXPECT_LT(two.known.size(), four.known.size());
  // A resumed campaign reads the same, also if it begins with a later epoch.
  GuideLog again = GuideLog::open(folder.path(), Guidance::kCoverage, Epochs(2), all).value();
  EXPECT_EQ(known_at(again, 3), four.known.sorted());
}

TEST(GuideLog, LeavesOutWhatDidNotEnd) {
  Folder folder;
  auto all = [](std::uint64_t) { return true; };
  {
    GuideLog log = GuideLog::open(folder.path(), Guidance::kCoverage, Epochs(2), all).value();
    for (std::uint64_t test : {0, 1}) ASSERT_TRUE(log.add(row_of(test)).ok());
    std::ofstream(folder.path() + "/guide.jsonl", std::ios::app) << "{\"test\": 1, \"seed";
  }
  GuideLog log = GuideLog::open(folder.path(), Guidance::kCoverage, Epochs(2), [](std::uint64_t test) {
                   return test != 1;
                 }).value();
  GuideTable one;
  one.learn({{0, row_of(0)}}, 0, 2);
  EXPECT_EQ(known_at(log, 2), one.known.sorted());
  ASSERT_TRUE(log.add(row_of(1)).ok()) << "made again, on a line of its own";
  GuideLog again = GuideLog::open(folder.path(), Guidance::kCoverage, Epochs(2), all).value();
  GuideTable both;
  both.learn({{0, row_of(0)}, {1, row_of(1)}}, 0, 2);
  EXPECT_EQ(known_at(again, 2), both.known.sorted());
}

TEST(GuidedSeeds, AreAFunctionOfTheirNumberAndTheTable) {
  const auto seed_source = generated_source(4);
  GuideTable table;
  std::map<std::uint64_t, GuideRow> rows;
  for (std::uint64_t test = 0; test < 400; ++test)
    rows[test] = {test, seedgen::generate(test, {.operators = 4}).value().lineage().seed, {}};
  table.learn(rows, 0, 400);
  std::int64_t dropped = 0;
  int others = 0;
  for (std::uint64_t test = 0; test < 100; ++test) {
    const Choices choices = Choices(3).fork("test", test);
    const Program program = *draw_guided_seed(*seed_source, choices, 0, table, dropped);
    std::int64_t again = 0;
    EXPECT_EQ(draw_guided_seed(*seed_source, choices, 0, table, again)->source(), program.source());
    others += program.source() != seed_source->seed(drawn_number(choices, 0)).source() ? 1 : 0;
    EXPECT_EQ(seedgen::regenerate(program.lineage().seed).value().source(), program.source());
  }
  EXPECT_GT(others, 10);
  EXPECT_LT(others, 100);
}

TEST(GuidedSeeds, WhatCoversNothingNewIsMostlyDropped) {
  // One call, and nearly everything that a program of one call covers is known.
  const auto seed_source = generated_source(1);
  GuideTable table;
  for (std::uint64_t seed = 0; seed < 20000; ++seed)
    for (seedgen::Feature feature : seedgen::coverage_of(seedgen::generate_graph(seed, {.operators = 1}), false))
      table.known.add(feature);
  std::int64_t dropped = 0;
  for (std::uint64_t test = 0; test < 100; ++test)
    ASSERT_TRUE(draw_guided_seed(*seed_source, Choices(3).fork("test", test), 0, table, dropped).has_value());
  EXPECT_GT(dropped, 100) << "draws for 100 tests; what is rare is still new";
}

TEST(BrokenSeeds, HaveOneOperatorWhileThatIsNew) {
  const auto seed_source = generated_source(12);
  GuideTable table;
  std::int64_t dropped = 0;
  std::map<std::uint64_t, GuideRow> rows;
  for (std::uint64_t test = 0; test < 200; ++test) {
    const Choices choices = Choices(3).fork("test", test);
    rows[test] = {test, draw_broken_seed(*seed_source, choices, 0, &table, dropped)->lineage().seed, {}};
    EXPECT_TRUE(rows[test].seed.broken);
    EXPECT_EQ(rows[test].seed.operators, 1) << "nothing is known";
  }
  EXPECT_EQ(dropped, 0);
  table.learn(rows, 0, 200);
  EXPECT_GT(table.known.size(), 100u);
  const Program next = *draw_broken_seed(*seed_source, Choices(3).fork("test", 0), 0, &table, dropped);
  EXPECT_GT(dropped, 0) << "the same test again draws the same, which is known now";
  EXPECT_NE(next.lineage().seed, rows[0].seed);
}

TEST(BrokenSeeds, WhenAllIsKnownTheyAreOfFullSize) {
  const auto seed_source = generated_source(12);
  GuideTable table;
  // What the tests below can draw with a single operator.
  for (std::uint64_t test = 0; test < 50; ++test)
    for (std::uint64_t draw = 0; draw < 8; ++draw) {
      const std::uint64_t seed = drawn_number(Choices(3).fork("test", test), draw << 32);
      table.known.add(seedgen::broken_feature(seed, {.operators = 1}).value());
    }
  std::int64_t dropped = 0;
  int full = 0;
  for (std::uint64_t test = 0; test < 50; ++test)
    full +=
        draw_broken_seed(*seed_source, Choices(3).fork("test", test), 0, &table, dropped)->lineage().seed.operators ==
        12;
  EXPECT_EQ(full, 50);
}

TEST(BrokenSeeds, HalfAreSmallWithoutATable) {
  const auto seed_source = generated_source(12);
  std::int64_t dropped = 0;
  int single = 0;
  for (std::uint64_t test = 0; test < 200; ++test)
    single +=
        draw_broken_seed(*seed_source, Choices(3).fork("test", test), 0, nullptr, dropped)->lineage().seed.operators ==
        1;
  EXPECT_GT(single, 60);
  EXPECT_LT(single, 140);
}

TEST(GuidedRun, GraphsAndProgramsAreTheSame) {
  const seedgen::GenerateOptions options{.operators = 8, .only = {"add", "sin", "sum", "cat"}};
  GuidedRun graphs(options, true);
  GuidedRun programs(options, true);
  std::size_t put_back = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Program program = programs.program(seed).value();
    seedgen::GenerateOptions again = options;
    again.refused = program.lineage().seed.refused;
    put_back += again.refused.size();
    EXPECT_EQ(seedgen::generate(seed, again).value().source(), program.source());
    EXPECT_EQ(seedgen::describe_values(graphs.graph(seed)),
              seedgen::describe_values(seedgen::generate_graph(seed, again)));
  }
  EXPECT_GT(put_back, 100u);
}

}  // namespace
}  // namespace jp::campaign
