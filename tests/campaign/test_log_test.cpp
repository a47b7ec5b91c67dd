// What tests leave behind: rows on the disk, tables by epoch, the corpus.
#include "campaign/feedback/test_log.h"

#include <gtest/gtest.h>

#include <fstream>

#include "campaign/making/record_test.h"
#include "codec/codec.h"
#include "mutate/engine/engine.h"
#include "report/files.h"
#include "seedgen/generate.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::Folder;

bool all(std::uint64_t) { return true; }

CorpusProgram program_of(std::uint64_t seed) {
  const Program program = seedgen::generate(seed, {.operators = 3}).value();
  const mutate::Parsed base = mutate::parse(program).value();
  Choices choices(seed);
  const auto made = mutate::random_step(base, {}, choices);
  return {program, made ? made->program().lineage().steps : std::vector<Step>{}};
}

TestRecord row_of(std::uint64_t test, std::vector<std::string> buckets = {}, std::string signature = "") {
  return {.test = test,
          .seed_source = "generated",
          .oracle = "eager_vs_compiled",
          .backend = "aot_eager",
          .steps = {"true_block", "history"},
          .verdict = signature.empty() ? "agree" : "diverge",
          .signature = std::move(signature),
          .buckets = std::move(buckets)};
}

TestRecord with_program(TestRecord row, std::int64_t distance, int depth = 0) {
  row.mutant = program_of(row.test + 100);
  row.distance = distance;
  row.depth = depth;
  return row;
}

TEST(TestRecord, ComesBack) {
  TestRecord row = with_program(row_of(7, {"graphs 2"}), 31, 2);
  row.graph_breaks = 3;
  row.recompiles = 1;
  row.seconds = 0.25;
  const auto again = read_test_record(to_json(row));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(codec::text(to_json(*again)), codec::text(to_json(row)));
  EXPECT_EQ(again->mutant->steps, row.mutant->steps);
  EXPECT_EQ(again->mutant->seed.source(), row.mutant->seed.source());
  EXPECT_FALSE(read_test_record(codec::Json::object()).has_value());
}

TEST(TestRecord, HasTheProgramUnlessACallRaises) {
  const CorpusProgram program = program_of(3);
  const TestCase test{
      3, program.seed, &need_oracle("eager_vs_compiled"), {}, {.mutant = {program.seed, {}}, .depth = 0}};
  const auto joins = [&](const CallRecord& second) {
    TestRecord row = row_of(3);
    Finished finished;
    finished.observation.calls = {CallRecord{}, second};
    add_program(row, test, {Outcome{.role = "eager", .ending = finished}});
    return row.mutant.has_value();
  };
  EXPECT_TRUE(joins({}));
  EXPECT_FALSE(joins({.exception = ExceptionRecord{}})) << "both runs raise alike";
  EXPECT_FALSE(joins({.backward_exception = ExceptionRecord{}}));
}

TEST(TestLog, TablesComeFromEpochsUpToTheLastButOne) {
  Folder folder;
  TestLog test_log = TestLog::open(folder.path(), {.seed = 1, .epochs = Epochs(2)}, all).value();
  for (std::uint64_t test : {1, 0, 3, 2, 5, 4})
    ASSERT_TRUE(test_log.add({row_of(test, {"bucket " + std::to_string(test)})}).ok());
  EXPECT_TRUE(test_log.table(0)->buckets.empty());
  EXPECT_TRUE(test_log.table(1)->buckets.empty());
  EXPECT_EQ(test_log.table(2)->buckets, (std::set<std::string>{"bucket 0", "bucket 1"}));
  const auto three = test_log.table(3);
  EXPECT_EQ(three->buckets.size(), 4u);
  // A resumed campaign computes the same, also if another job asks for the epoch before afterwards.
  TestLog again = TestLog::open(folder.path(), {.seed = 1, .epochs = Epochs(2)}, all).value();
  EXPECT_EQ(again.table(3)->mutation_weights.weights({}, "true_block"),
            three->mutation_weights.weights({}, "true_block"));
  EXPECT_EQ(again.table(2)->buckets, test_log.table(2)->buckets);
  EXPECT_EQ(again.table(3)->buckets, three->buckets);
}

TEST(TestLog, GoesOnInTheFileOfAnOlderVersion) {
  Folder folder;
  EXPECT_EQ(report::campaign_file(folder.path(), "test_log.jsonl", "ledger.jsonl"), folder.path() + "/test_log.jsonl");
  std::ofstream(folder.path() + "/ledger.jsonl") << "";
  EXPECT_EQ(report::campaign_file(folder.path(), "test_log.jsonl", "ledger.jsonl"), folder.path() + "/ledger.jsonl");
  std::ofstream(folder.path() + "/test_log.jsonl") << "";
  EXPECT_EQ(report::campaign_file(folder.path(), "test_log.jsonl", "ledger.jsonl"), folder.path() + "/test_log.jsonl");
}

TEST(TestLog, LeavesOutWhatDidNotEnd) {
  Folder folder;
  {
    TestLog test_log = TestLog::open(folder.path(), {.epochs = Epochs(2)}, all).value();
    for (std::uint64_t test : {0, 1}) ASSERT_TRUE(test_log.add({row_of(test, {std::to_string(test)})}).ok());
    std::ofstream(folder.path() + "/test_log.jsonl", std::ios::app) << "{\"test\": 1, \"ba";
  }
  const auto but_one = [](std::uint64_t test) { return test != 1; };
  TestLog test_log = TestLog::open(folder.path(), {.epochs = Epochs(2)}, but_one).value();
  EXPECT_EQ(test_log.table(2)->buckets, std::set<std::string>{"0"});
  TestLog fresh = TestLog::open(folder.path(), {.epochs = Epochs(2)}, but_one).value();
  ASSERT_TRUE(fresh.add({row_of(1, {"made again"})}).ok());
  EXPECT_EQ(TestLog::open(folder.path(), {.epochs = Epochs(2)}, all).value().table(2)->buckets.count("made again"), 1u);
}

TEST(TestLog, WantsProgramsOfNewBucketsAndSomeOthers) {
  const TestLog::Options options{.seed = 3, .epochs = Epochs(500)};
  int wanted = 0;
  for (std::uint64_t test = 1000; test < 1500; ++test)
    wanted += TestLog::wants_program(options, test, {"graphs 2"}, {"graphs 2"});
  EXPECT_GT(wanted, 4);
  EXPECT_LT(wanted, 40) << "about sixteen an epoch";
  for (std::uint64_t test = 0; test < 20; ++test) EXPECT_TRUE(TestLog::wants_program(options, test, {"graphs 2"}, {}));
}

std::size_t accepted(CorpusPolicy corpus_policy, const std::vector<std::int64_t>& distances) {
  Corpus corpus;
  for (std::size_t i = 0; i < distances.size(); ++i)
    corpus.add(with_program(row_of(i), distances[i]), 0, corpus_policy, Choices(5));
  return corpus.size();
}

TEST(FeedbackState, ComesBack) {
  FeedbackState state;
  for (std::uint64_t test = 0; test < 6; ++test)
    state.learn(with_program(row_of(test, {"graphs 2"}, test == 4 ? "ab" : ""), 31, static_cast<int>(test) % 3),
                CorpusPolicy::kAll, Choices(5));
  state.mutation_weights.fade();
  const FeedbackState again = read_feedback(codec::parse_text(codec::text(to_json(state))).value()).value();
  EXPECT_EQ(to_json(again), to_json(state));
  EXPECT_EQ(again.mutation_weights.weights({}, "history"), state.mutation_weights.weights({}, "history"));
  ASSERT_EQ(again.corpus.size(), 6U);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Choices one(seed), other(seed);
    const CorpusEntry* drawn = state.corpus.draw(3, one);
    const CorpusEntry* as_drawn = again.corpus.draw(3, other);
    ASSERT_TRUE(drawn && as_drawn);
    EXPECT_EQ(as_drawn->mutant.steps, drawn->mutant.steps);
    EXPECT_EQ(as_drawn->mutant.seed.sha256(), drawn->mutant.seed.sha256());
    EXPECT_EQ(as_drawn->depth, drawn->depth);
  }
  EXPECT_FALSE(read_feedback(codec::Json::object()).ok());
}

TEST(Corpus, AreAcceptedByTheRule) {
  EXPECT_EQ(accepted(CorpusPolicy::kAll, {0, 1, 100}), 3u);
  EXPECT_EQ(accepted(CorpusPolicy::kDistant, {0, Corpus::kFar - 1, Corpus::kFar, 100}), 2u);
  EXPECT_EQ(accepted(CorpusPolicy::kMcmc, {1, 2, 3, 3, 50}), 5u) << "ever farther";
  const std::vector<std::int64_t> far_then_near = {100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_LT(accepted(CorpusPolicy::kMcmc, far_then_near), 4u) << "hardly ever so much nearer";
  const std::vector<std::int64_t> a_little_nearer(200, 0);
  std::vector<std::int64_t> steps;
  for (std::int64_t i = 0; i < 200; ++i) steps.push_back(i % 2 == 0 ? 12 : 9);
  EXPECT_GT(accepted(CorpusPolicy::kMcmc, steps), 120u);
  EXPECT_LT(accepted(CorpusPolicy::kMcmc, steps), 200u);
  for (CorpusPolicy corpus_policy : {CorpusPolicy::kAll, CorpusPolicy::kDistant, CorpusPolicy::kMcmc})
    EXPECT_EQ(corpus_policy_named(corpus_policy_name(corpus_policy)), corpus_policy);
  EXPECT_FALSE(corpus_policy_named("near").has_value());
}

TEST(Corpus, AFirstInABucketJoinsInAnyCase) {
  for (CorpusPolicy corpus_policy : {CorpusPolicy::kDistant, CorpusPolicy::kMcmc}) {
    Corpus corpus;
    corpus.add(with_program(row_of(0), 200), 0, corpus_policy, Choices(1));
    corpus.add(with_program(row_of(1), 0), 1, corpus_policy, Choices(1));
    EXPECT_EQ(corpus.size(), 2u);
  }
}

TEST(Corpus, DepthEndsAndTheOldestGo) {
  Corpus corpus;
  Choices choices(2);
  EXPECT_EQ(corpus.draw(4, choices), nullptr);
  corpus.add(with_program(row_of(0), 0, 2), 0, CorpusPolicy::kAll, Choices(1));
  EXPECT_EQ(corpus.draw(3, choices), nullptr) << "it is of depth 3 itself";
  ASSERT_NE(corpus.draw(4, choices), nullptr);
  EXPECT_EQ(corpus.draw(4, choices)->depth, 3);
  const TestRecord row = with_program(row_of(1), 0);
  for (std::size_t i = 0; i < 2 * Corpus::kMost; ++i) corpus.add(row, 0, CorpusPolicy::kAll, Choices(1));
  EXPECT_EQ(corpus.size(), Corpus::kMost);
  EXPECT_EQ(corpus.draw(2, choices)->depth, 1);
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
