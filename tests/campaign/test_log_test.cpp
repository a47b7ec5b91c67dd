// What tests leave behind: rows on the disk, tables by epoch, variants that others begin with.
#include "campaign/feedback/test_log.h"

#include <gtest/gtest.h>

#include <fstream>

#include "mutate/engine/engine.h"
#include "seedgen/generate.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::Folder;

bool all(std::uint64_t) { return true; }

Variant variant_of(std::uint64_t seed) {
  const Program program = seedgen::generate(seed, {.operators = 3}).value();
  const mutate::Parsed base = mutate::parse(program).value();
  Choices choices(seed);
  const auto made = mutate::random_step(base, {}, choices);
  return {program, made ? made->program().lineage().steps : std::vector<Step>{}};
}

LedgerRow row_of(std::uint64_t test, std::vector<std::string> buckets = {}, std::string signature = "") {
  return {.test = test,
          .door = "generated",
          .oracle = "eager_vs_compiled",
          .backend = "aot_eager",
          .steps = {"true_block", "history"},
          .verdict = signature.empty() ? "agree" : "diverge",
          .signature = std::move(signature),
          .buckets = std::move(buckets)};
}

LedgerRow with_variant(LedgerRow row, std::int64_t distance, int depth = 0) {
  row.variant = variant_of(row.test + 100);
  row.distance = distance;
  row.depth = depth;
  return row;
}

TEST(LedgerRow, ComesBack) {
  LedgerRow row = with_variant(row_of(7, {"graphs 2"}), 31, 2);
  row.graph_breaks = 3;
  row.recompiles = 1;
  row.seconds = 0.25;
  const auto again = read_ledger_row(to_json(row));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(codec::text(to_json(*again)), codec::text(to_json(row)));
  EXPECT_EQ(again->variant->steps, row.variant->steps);
  EXPECT_EQ(again->variant->seed.source(), row.variant->seed.source());
  EXPECT_FALSE(read_ledger_row(codec::Json::object()).has_value());
}

TEST(Ledger, TablesComeFromEpochsUpToTheLastButOne) {
  Folder folder;
  Ledger ledger = Ledger::open(folder.path(), {.seed = 1, .epochs = Epochs(2)}, all).value();
  for (std::uint64_t test : {1, 0, 3, 2, 5, 4})
    ASSERT_TRUE(ledger.add(row_of(test, {"bucket " + std::to_string(test)})).ok());
  EXPECT_TRUE(ledger.table(0)->buckets.empty());
  EXPECT_TRUE(ledger.table(1)->buckets.empty());
  EXPECT_EQ(ledger.table(2)->buckets, (std::set<std::string>{"bucket 0", "bucket 1"}));
  const auto three = ledger.table(3);
  EXPECT_EQ(three->buckets.size(), 4u);
  // A resumed campaign comes to the same, also when another job asks for the epoch before afterwards.
  Ledger again = Ledger::open(folder.path(), {.seed = 1, .epochs = Epochs(2)}, all).value();
  EXPECT_EQ(again.table(3)->credit.weights({}, "true_block"), three->credit.weights({}, "true_block"));
  EXPECT_EQ(again.table(2)->buckets, ledger.table(2)->buckets);
  EXPECT_EQ(again.table(3)->buckets, three->buckets);
}

TEST(Ledger, LeavesOutWhatDidNotEnd) {
  Folder folder;
  {
    Ledger ledger = Ledger::open(folder.path(), {.epochs = Epochs(2)}, all).value();
    for (std::uint64_t test : {0, 1}) ASSERT_TRUE(ledger.add(row_of(test, {std::to_string(test)})).ok());
    std::ofstream(folder.path() + "/ledger.jsonl", std::ios::app) << "{\"test\": 1, \"ba";
  }
  const auto but_one = [](std::uint64_t test) { return test != 1; };
  Ledger ledger = Ledger::open(folder.path(), {.epochs = Epochs(2)}, but_one).value();
  EXPECT_EQ(ledger.table(2)->buckets, std::set<std::string>{"0"});
  Ledger fresh = Ledger::open(folder.path(), {.epochs = Epochs(2)}, but_one).value();
  ASSERT_TRUE(fresh.add(row_of(1, {"made again"})).ok());
  EXPECT_EQ(Ledger::open(folder.path(), {.epochs = Epochs(2)}, all).value().table(2)->buckets.count("made again"), 1u);
}

TEST(Ledger, WantsProgramsOfNewBucketsAndSomeOthers) {
  Folder folder;
  Ledger ledger = Ledger::open(folder.path(), {.seed = 3, .epochs = Epochs(500)}, all).value();
  ledger.table(0);
  int wanted = 0;
  for (std::uint64_t test = 1000; test < 1500; ++test) wanted += ledger.wants_program(test, {});
  EXPECT_GT(wanted, 4);
  EXPECT_LT(wanted, 40) << "about sixteen an epoch";
  for (std::uint64_t test = 0; test < 20; ++test) EXPECT_TRUE(ledger.wants_program(test, {"graphs 2"}));
}

std::size_t accepted(Accept accept, const std::vector<std::int64_t>& distances) {
  Parents parents;
  for (std::size_t i = 0; i < distances.size(); ++i)
    parents.add(with_variant(row_of(i), distances[i]), 0, accept, Choices(5));
  return parents.size();
}

TEST(Parents, AreAcceptedByTheRule) {
  EXPECT_EQ(accepted(Accept::kAll, {0, 1, 100}), 3u);
  EXPECT_EQ(accepted(Accept::kDistant, {0, Parents::kFar - 1, Parents::kFar, 100}), 2u);
  EXPECT_EQ(accepted(Accept::kMcmc, {1, 2, 3, 3, 50}), 5u) << "ever farther";
  const std::vector<std::int64_t> far_then_near = {100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_LT(accepted(Accept::kMcmc, far_then_near), 4u) << "hardly ever so much nearer";
  const std::vector<std::int64_t> a_little_nearer(200, 0);
  std::vector<std::int64_t> steps;
  for (std::int64_t i = 0; i < 200; ++i) steps.push_back(i % 2 == 0 ? 12 : 9);
  EXPECT_GT(accepted(Accept::kMcmc, steps), 120u);
  EXPECT_LT(accepted(Accept::kMcmc, steps), 200u);
  for (Accept accept : {Accept::kAll, Accept::kDistant, Accept::kMcmc})
    EXPECT_EQ(accept_named(accept_name(accept)), accept);
  EXPECT_FALSE(accept_named("near").has_value());
}

TEST(Parents, AFirstInABucketJoinsInAnyCase) {
  for (Accept accept : {Accept::kDistant, Accept::kMcmc}) {
    Parents parents;
    parents.add(with_variant(row_of(0), 200), 0, accept, Choices(1));
    parents.add(with_variant(row_of(1), 0), 1, accept, Choices(1));
    EXPECT_EQ(parents.size(), 2u);
  }
}

TEST(Parents, DepthEndsAndTheOldestGo) {
  Parents parents;
  Choices choices(2);
  EXPECT_EQ(parents.draw(4, choices), nullptr);
  parents.add(with_variant(row_of(0), 0, 2), 0, Accept::kAll, Choices(1));
  EXPECT_EQ(parents.draw(3, choices), nullptr) << "it is of depth 3 itself";
  ASSERT_NE(parents.draw(4, choices), nullptr);
  EXPECT_EQ(parents.draw(4, choices)->depth, 3);
  const LedgerRow row = with_variant(row_of(1), 0);
  for (std::size_t i = 0; i < 2 * Parents::kMost; ++i) parents.add(row, 0, Accept::kAll, Choices(1));
  EXPECT_EQ(parents.size(), Parents::kMost);
  EXPECT_EQ(parents.draw(2, choices)->depth, 1);
}

TEST(Distance, KindsWeighMoreThanLines) {
  const auto program = [](const std::string& body) {
    return Program::make("def program(x):\n" + body + "    return x\n", {}).value();
  };
  const Program seed = program("    x = x + 1\n");
  EXPECT_EQ(distance_of(seed, seed), 0);
  EXPECT_EQ(distance_of(seed, program("    x = x + 1\n    x = x * 2\n")), 1);
  EXPECT_EQ(distance_of(seed, program("    if x.sum() > 0:\n        x = x + 1\n")), 5);
}

}  // namespace
}  // namespace jp::campaign
