// What found what: counts of tests and findings, from a campaign's folder.
#include "campaign/feedback/rule_statistics.h"

#include <gtest/gtest.h>

#include "campaign/feedback/test_log.h"
#include "codec/codec.h"
#include "report/evidence.h"
#include "report/store.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::finding_of;
using report::test::Folder;
using report::test::plan_for;
using report::test::program_of;

RuleCount share_in(const std::vector<RuleStatistics>& all, std::string_view kind, const std::string& name) {
  for (const RuleStatistics& shares : all)
    for (const RuleCount& share : shares.rows)
      if (shares.kind == kind && share.name == name) return share;
  return {};
}

TestRecord row_of(std::uint64_t test, std::vector<std::string> steps, const std::string& backend,
                  const std::string& signature = "") {
  return {.test = test,
          .seed_source = "generated",
          .oracle = "eager_vs_compiled",
          .backend = backend,
          .steps = std::move(steps),
          .verdict = signature.empty() ? "agree" : "diverge",
          .signature = signature,
          .call = signature.empty() ? 0 : 1,
          .graph_breaks = 2,
          .seconds = 0.5};
}

// Test 0 agrees; 1 and 2 see one finding on two backends, which needs true_block alone.
TEST(RuleStatistics, CountTestsAndFindings) {
  Folder folder;
  const std::string campaign = folder / "campaign";
  auto store = report::Store::create(campaign, {}).value();
  const Finding finding = finding_of("x = 1\n", "aot_eager", Mismatch::kValue, "output");
  const std::string id = finding.signature.id();
  for (std::uint64_t test : {1, 2}) {
    ASSERT_TRUE(store->begin_test(test, finding.program, plan_for("aot_eager")).ok());
    ASSERT_TRUE(store->add_finding(finding, test).ok());
  }
  ASSERT_TRUE(report::keep_reduced(campaign, id, program_of("x = 1\n"), {"true_block"}).ok());
  TestLog test_log = TestLog::open(campaign, {.epochs = Epochs(10)}, [](std::uint64_t) { return true; }).value();
  ASSERT_TRUE(test_log.add({row_of(0, {"history", "history"}, "inductor")}).ok());
  ASSERT_TRUE(test_log.add({row_of(1, {"history", "true_block"}, "aot_eager", id)}).ok());
  ASSERT_TRUE(test_log.add({row_of(2, {"true_block"}, "inductor", id)}).ok());
  ASSERT_TRUE(test_log.add({row_of(2, {"true_block"}, "inductor", id)}).ok()) << "run again after a kill";

  const std::vector<RuleStatistics> all = rule_statistics_of(campaign).value();
  EXPECT_EQ(share_in(all, "all", "").tests, 3);
  EXPECT_EQ(share_in(all, "all", "").graph_breaks, 6);
  const RuleCount history = share_in(all, "mutation", "history");
  EXPECT_EQ(history.tests, 2) << "a test counts once, however often it has it";
  EXPECT_EQ(history.diverging, 1);
  EXPECT_EQ(history.findings, 0) << "not needed";
  const RuleCount block = share_in(all, "mutation", "true_block");
  EXPECT_EQ(block.diverging, 2);
  EXPECT_EQ(block.findings, 1);
  EXPECT_EQ(block.alone, 1);
  EXPECT_EQ(share_in(all, "pair", "history true_block").findings, 0);
  EXPECT_EQ(share_in(all, "pair", "history history").tests, 1);
  EXPECT_EQ(share_in(all, "backend", "inductor").findings, 1);
  EXPECT_EQ(share_in(all, "backend", "inductor").alone, 0) << "aot_eager found it too";
  EXPECT_EQ(share_in(all, "source", "generated").alone, 1);
  EXPECT_EQ(share_in(all, "call", "2").tests, 2);
  EXPECT_EQ(share_in(all, "mutation", "splice").tests, 0) << "all of the catalogue are there";
}

TEST(RuleStatistics, OfAFindingThatIsNotReducedAllOfItsStepsCount) {
  Folder folder;
  const std::string campaign = folder / "campaign";
  auto store = report::Store::create(campaign, {}).value();
  Finding finding = finding_of("x = 1\n", "aot_eager", Mismatch::kValue, "output");
  Lineage lineage;
  lineage.steps = {{0, "splice", {"s0", ""}, {}}, {1, "history", {"s0", ""}, {}}};
  finding.program = Program::make("x = 1\n", lineage).value();
  ASSERT_TRUE(store->begin_test(0, finding.program, plan_for("aot_eager")).ok());
  ASSERT_TRUE(store->add_finding(finding, 0).ok());
  const std::vector<RuleStatistics> all = rule_statistics_of(campaign).value();
  for (const char* name : {"splice", "history"}) {
    EXPECT_EQ(share_in(all, "mutation", name).findings, 1) << name;
    EXPECT_EQ(share_in(all, "mutation", name).alone, 0) << name;
  }
  EXPECT_EQ(share_in(all, "pair", "splice history").findings, 1);
  EXPECT_FALSE(rule_statistics_of(folder / "nothing").ok());
}

}  // namespace
}  // namespace jp::campaign
