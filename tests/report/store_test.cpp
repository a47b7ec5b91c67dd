#include "report/store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "codec/codec.h"
#include "core/choices.h"
#include "core/files.h"
#include "report/schema.h"
#include "tests/report/store_build.h"

namespace jp::report::test {
namespace {

TEST(Ranges, AddsAndMerges) {
  Choices choices(5);
  for (int round = 0; round < 200; ++round) {
    Ranges ranges;
    std::set<std::uint64_t> numbers;
    for (int i = 0; i < 30; ++i) {
      const std::uint64_t number = choices.below(40);
      ranges.add(number);
      numbers.insert(number);
    }
    std::uint64_t missing = 0;
    while (numbers.contains(missing)) ++missing;
    EXPECT_EQ(ranges.first_missing(), missing);
    for (std::uint64_t number = 0; number < 45; ++number)
      ASSERT_EQ(ranges.contains(number), numbers.contains(number)) << number;
    std::uint64_t previous_end = 0;
    for (const auto& [first, end] : ranges.runs()) {
      EXPECT_LT(first, end);
      EXPECT_TRUE(first == 0 || first > previous_end) << "runs must not touch";
      previous_end = end;
    }
  }
}

TEST(Store, OneThatCouldNotStartIsDiscarded) {
  const Folder base;
  const std::string folder = base.path() + "/campaign";
  const auto made = [&] { return Store::create(folder, kSettings).value(); };
  Store::discard(made());
  EXPECT_FALSE(std::filesystem::exists(folder));
  auto store = made();
  ASSERT_TRUE(write_file(folder + "/own.txt", "a person's").ok());
  Store::discard(std::move(store));
  EXPECT_TRUE(std::filesystem::exists(folder + "/own.txt"));
  store = made();
  ASSERT_TRUE(store->begin_test(0, kProgram, kPlan).ok());
  Store::discard(std::move(store));
  EXPECT_EQ(Store::open(folder).value()->under_way().value(), (std::vector<std::uint64_t>{0}));
}

// A folder, or a link to one, that was there before stays.
TEST(Store, DiscardingLeavesWhatAPersonMade) {
  const Folder base;
  const std::string folder = base.path() + "/own";
  const std::string link = base.path() + "/link";
  std::filesystem::create_directory(folder);
  std::filesystem::create_symlink(folder, link);
  for (const std::string& path : {folder, link}) {
    Store::discard(Store::create(path, kSettings).value());
    EXPECT_TRUE(std::filesystem::exists(path)) << path;
    EXPECT_TRUE(std::filesystem::is_empty(folder)) << path;
  }
}

TEST(Store, RemembersSettingsAndTests) {
  Folder folder;
  {
    auto store = created(folder);
    ASSERT_TRUE(store->begin_test(0, kProgram, kPlan).ok());
    ASSERT_TRUE(finish(*store, 0, Verdict::Kind::kAgree).ok());
    ASSERT_TRUE(reject(*store, 1).ok());
    ASSERT_TRUE(store->begin_test(2, kProgram, kPlan).ok());
    ASSERT_TRUE(store->begin_test(3, kProgram, kPlan).ok());
    ASSERT_TRUE(finish(*store, 3, Verdict::Kind::kDiverge).ok());
  }
  auto store = opened(folder);
  EXPECT_EQ(store->settings(), kSettings);
  EXPECT_TRUE(store->is_finished(0));
  EXPECT_TRUE(store->is_finished(1));
  EXPECT_FALSE(store->is_finished(2));
  EXPECT_TRUE(store->is_finished(3));
  EXPECT_EQ(store->first_unfinished(), 2U);
  EXPECT_EQ(store->under_way().value(), std::vector<std::uint64_t>{2});
  const auto verdicts = count_verdicts(folder.path()).value();
  EXPECT_EQ(verdicts, (std::map<std::string, std::int64_t>{{"", 1}, {"agree", 1}, {"diverge", 1}, {"rejected", 1}}));
}

// The former were begun first, as a job does.
TEST(Store, TestsAddedTogetherLeaveTheRowsOfTestsOneByOne) {
  const Counts counts = {{"mutation:true_block", {{"tried", 3}}}};
  const Verdict agree = verdict_of(Verdict::Kind::kAgree);
  const Verdict diverge = verdict_of(Verdict::Kind::kDiverge);
  Folder one_by_one;
  Folder together;
  auto first = created(one_by_one);
  ASSERT_TRUE(first->begin_test(0, kProgram, kPlan).ok());
  ASSERT_TRUE(finish(*first, 0, Verdict::Kind::kAgree, counts).ok());
  ASSERT_TRUE(reject(*first, 1, counts).ok());
  ASSERT_TRUE(first->begin_test(2, kProgram, kPlan).ok());
  ASSERT_TRUE(finish(*first, 2, Verdict::Kind::kDiverge, counts).ok());
  auto second = created(together);
  const std::vector<Store::MadeTest> tests = {{0, &kProgram, &kPlan, &agree, &counts},
                                              {.number = 1, .counts = &counts},
                                              {2, &kProgram, &kPlan, &diverge, &counts}};
  ASSERT_TRUE(second->add_tests(tests).ok());
  EXPECT_EQ(second->first_unfinished(), 3U);
  ASSERT_TRUE(second->add_tests(tests).ok());
  EXPECT_EQ(read_counts(together.path()).value(), read_counts(one_by_one.path()).value()) << "counted once";
  for (std::uint64_t number = 0; number < 3; ++number) {
    const EndedTest ours = read_verdict(one_by_one.path(), number).value();
    const EndedTest theirs = read_verdict(together.path(), number).value();
    EXPECT_EQ(ours.verdict, theirs.verdict);
    EXPECT_EQ(ours.rule, theirs.rule);
    EXPECT_EQ(ours.reason, theirs.reason);
    EXPECT_EQ(ours.program, theirs.program);
  }
}

TEST(Store, SightingsAreAddedWithTheirTests) {
  const Counts none;
  const Verdict diverge = verdict_of(Verdict::Kind::kDiverge);
  Folder folder;
  auto store = created(folder);
  Finding known = test::finding_of("def program(x):\n    return x\n", "inductor", Mismatch::kValue, "output");
  known.status = Finding::Status::kKnown;
  const std::string id = known.signature.id();
  EXPECT_FALSE(store->only_sights(known, 5).value()) << "it is not stored yet";
  ASSERT_TRUE(store->add_finding(known, 5).ok());
  EXPECT_TRUE(store->only_sights(known, 6).value());
  EXPECT_FALSE(store->only_sights(known, 4).value()) << "a smaller test's is stored in its place";
  ASSERT_TRUE(store->add_tests({{6, &kProgram, &kPlan, &diverge, &none, {id}}}).ok());
  EXPECT_EQ(list_sightings(folder.path()).value()[id], (std::set<std::uint64_t>{5, 6}));
  EXPECT_TRUE(store->is_finished(6));
}

TEST(Store, KeepsProgramsUnderWayAndThoseThatDiverged) {
  Folder folder;
  auto store = created(folder);
  ASSERT_TRUE(store->begin_test(0, kProgram, kPlan).ok());
  const auto test = read_test(folder.path(), 0);
  ASSERT_TRUE(test.ok()) << test.error().message;
  EXPECT_EQ(test.value().program, kProgram.source());
  EXPECT_EQ(test.value().plan, kPlan);
  ASSERT_TRUE(finish(*store, 0, Verdict::Kind::kAgree).ok());
  EXPECT_FALSE(read_test(folder.path(), 0).ok());
}

TEST(Store, FinishingTwiceKeepsTheFirstVerdict) {
  Folder folder;
  auto store = created(folder);
  ASSERT_TRUE(store->begin_test(4, kProgram, kPlan).ok());
  ASSERT_TRUE(store->begin_test(4, kProgram, kPlan).ok()) << "as a resumed campaign does";
  ASSERT_TRUE(finish(*store, 4, Verdict::Kind::kDiverge).ok());
  ASSERT_TRUE(finish(*store, 4, Verdict::Kind::kAgree).ok());
  EXPECT_EQ(count_verdicts(folder.path()).value(), (std::map<std::string, std::int64_t>{{"diverge", 1}}));
}

TEST(Findings, AreOneRowASignature) {
  Folder folder;
  auto store = created(folder);
  const std::string id = finding("output").signature.id();
  EXPECT_FALSE(store->sighted(id, 1).value());
  EXPECT_TRUE(store->add_finding(finding("output"), 1).value());
  EXPECT_FALSE(store->add_finding(finding("output"), 1).value());
  EXPECT_TRUE(store->sighted(id, 2).value());
  EXPECT_TRUE(store->sighted(id, 2).value());
  EXPECT_TRUE(store->add_finding(finding("inputs"), 3).value());
  const auto rows = list_findings(folder.path()).value();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].id, id);
  EXPECT_EQ(rows[0].sightings, 2);
  EXPECT_EQ(rows[0].status, "confirmed");
  EXPECT_EQ(rows[0].first_test, 1U);
  EXPECT_EQ(rows[1].sightings, 1);
}

TEST(Findings, MergeInAnyOrderToTheSameRows) {
  std::vector<std::vector<FindingRow>> results;
  for (const auto& order : std::vector<std::vector<std::uint64_t>>{{1, 2, 3}, {3, 2, 1, 3, 1}, {2, 2, 3, 1}}) {
    Folder folder;
    auto store = created(folder);
    for (std::uint64_t test : order) ASSERT_TRUE(store->add_finding(finding("output"), test).ok());
    auto rows = list_findings(folder.path()).value();
    for (FindingRow& row : rows) row.first_test = 0;  // the first that came in
    results.push_back(rows);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Findings, ABetterStatusTakesThePlace) {
  Folder folder;
  auto store = created(folder);
  EXPECT_TRUE(store->add_finding(finding("output", Finding::Status::kFlaky), 1).value());
  EXPECT_FALSE(store->add_finding(finding("output", Finding::Status::kConfirmed), 2).value());
  EXPECT_FALSE(store->add_finding(finding("output", Finding::Status::kCandidate), 3).value());
  const auto rows = list_findings(folder.path()).value();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].status, "confirmed");
  EXPECT_EQ(rows[0].sightings, 3);
  EXPECT_EQ(load_finding(folder.path(), rows[0].id).value().status, Finding::Status::kConfirmed);
}

TEST(Findings, OfAKnownBugTheSightingOfTheFirstTestIsStored) {
  for (const auto& order : std::vector<std::vector<std::uint64_t>>{{4, 7, 5}, {7, 5, 4}, {5, 4, 7}}) {
    Folder folder;
    auto store = created(folder);
    for (std::uint64_t test : order) {
      Finding known = finding("output", Finding::Status::kKnown);
      known.verdict.reason = "in test " + std::to_string(test);
      EXPECT_EQ(store->add_finding(known, test).value(), test == order.front());
    }
    const auto rows = list_findings(folder.path()).value();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].status, "known");
    EXPECT_EQ(rows[0].first_test, 4U);
    EXPECT_EQ(rows[0].reason, "in test 4");
    EXPECT_EQ(rows[0].sightings, 3);
    EXPECT_EQ(load_finding(folder.path(), rows[0].id).value().verdict.reason, "in test 4");
  }
}

TEST(Findings, AreReadBackWhole) {
  Folder folder;
  auto store = created(folder);
  Finding kept = finding("output");
  TensorRecord tensor;
  tensor.bytes = std::string("\0\xff\x80", 3);
  kept.outcomes = {{"eager", Finished{{{tensor}, {CallRecord{}}, {}}, {}}, 0.5},
                   {"compiled", Died{"signal", 11, 0, "x", {"f"}}, 1}};
  ASSERT_TRUE(store->add_finding(kept, 1).ok());
  const std::string id = kept.signature.id();
  const auto loaded = load_finding(folder.path(), id.substr(0, 6));
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded.value().outcomes, kept.outcomes);
  EXPECT_EQ(loaded.value().verdict, kept.verdict);
  EXPECT_EQ(loaded.value().signature, kept.signature);
  EXPECT_EQ(loaded.value().program.source(), kept.program.source());
  EXPECT_EQ(read_file(folder / "findings/" + id + "/program.py").value(), kept.program.source());
  EXPECT_FALSE(load_finding(folder.path(), "nothing").ok());
}

// A test adds its counts with its verdict: both or neither, and once.
TEST(Counts, AreAddedOnceByEachTest) {
  Folder folder;
  auto store = created(folder);
  const Counts one = {{"mutation:true_block", {{"tried", 3}, {"applied", 2}}}};
  ASSERT_TRUE(store->begin_test(0, kProgram, kPlan).ok());
  EXPECT_TRUE(read_counts(folder.path()).value().empty()) << "it has no verdict yet";
  ASSERT_TRUE(finish(*store, 0, Verdict::Kind::kAgree, one).ok());
  EXPECT_EQ(read_counts(folder.path()).value(), one) << "while the campaign goes on";
  ASSERT_TRUE(finish(*store, 0, Verdict::Kind::kAgree, one).ok());
  ASSERT_TRUE(reject(*store, 0, one).ok());
  EXPECT_EQ(read_counts(folder.path()).value(), one) << "written again";
  ASSERT_TRUE(reject(*store, 1, {{"mutation:true_block", {{"tried", 4}}}}).ok());
  ASSERT_TRUE(reject(*store, 1, {{"mutation:true_block", {{"tried", 4}}}}).ok());
  store.reset();
  store = Store::open(folder.path()).value();
  ASSERT_TRUE(finish(*store, 0, Verdict::Kind::kAgree, one).ok());
  const Counts counts = read_counts(folder.path()).value();
  EXPECT_EQ(counts.at("mutation:true_block").at("tried"), 7);
  EXPECT_EQ(counts.at("mutation:true_block").at("applied"), 2);
}

// A test that broke an invariant is stored with its program, and the campaign as it was before can be restored.
TEST(InternalErrors, AreKeptWithTheirProgramAndRunAgainInACopy) {
  Folder folder;
  auto store = created(folder);
  ASSERT_TRUE(store->begin_test(0, kProgram, kPlan).ok());
  ASSERT_TRUE(finish(*store, 0, Verdict::Kind::kAgree).ok());
  ASSERT_TRUE(store->begin_test(1, kProgram, kPlan).ok());
  ASSERT_TRUE(store->add_finding(finding("output"), 1).ok());
  ASSERT_TRUE(store->skip_test(1, "internal_error", "a broken rule").ok());
  EXPECT_TRUE(store->is_finished(1));
  const EndedTest ended = read_verdict(folder.path(), 1).value();
  EXPECT_EQ(ended.verdict, "internal_error");
  EXPECT_EQ(ended.reason, "a broken rule");
  EXPECT_EQ(ended.program, kProgram.source());
  EXPECT_FALSE(read_verdict(folder.path(), 2).ok());
  Folder copy;
  ASSERT_TRUE(copy_before(folder.path(), 1, copy.path()).ok());
  auto again = Store::open(copy.path()).value();
  EXPECT_TRUE(again->is_finished(0));
  EXPECT_FALSE(again->is_finished(1));
  EXPECT_EQ(again->settings(), store->settings());
  EXPECT_TRUE(list_findings(copy.path()).value().empty());
  EXPECT_EQ(list_findings(folder.path()).value().size(), 1U);
}

TEST(Settings, GrowByWhatIsKnownLater) {
  Folder folder;
  auto store = created(folder);
  ASSERT_TRUE(store->set_setting("torch", "2.13.0").ok());
  EXPECT_EQ(store->settings()["torch"], "2.13.0");
  store.reset();
  EXPECT_EQ(Store::open(folder.path()).value()->settings()["torch"], "2.13.0");
}

TEST(Threads, ShareAStore) {
  Folder folder;
  auto store = created(folder);
  std::vector<std::thread> threads;
  for (std::uint64_t job = 0; job < 4; ++job)
    threads.emplace_back([&, job] {
      for (std::uint64_t i = 0; i < 10; ++i) {
        const std::uint64_t number = i * 4 + job;
        EXPECT_TRUE(store->begin_test(number, kProgram, kPlan).ok());
        EXPECT_TRUE(i % 5 != 0 || store->add_finding(finding("output"), number).ok());
        EXPECT_TRUE(finish(*store, number, Verdict::Kind::kAgree).ok());
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store->first_unfinished(), 40U);
  EXPECT_EQ(list_findings(folder.path()).value().at(0).sightings, 8);
}

}  // namespace
}  // namespace jp::report::test
