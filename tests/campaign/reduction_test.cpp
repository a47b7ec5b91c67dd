// What is stored of a reduction: the best program, which no larger one replaces, and separately the result of the
// campaign's bounded reduction.
#include "campaign/triage/reduction.h"

#include <gtest/gtest.h>

#include "campaign/triage/finding_index.h"
#include "campaign/triage/reduction_path.h"
#include "codec/codec.h"
#include "report/store.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::finding_of;
using report::test::Folder;
using report::test::program_of;

const Program kLarge = program_of("def program(x):\n    a = x + 1\n    b = a + 2\n    return b\n");
const Program kSmall = program_of("def program(x):\n    return x + 1\n");
const Program kAsSmall = program_of("def program(y):\n    return y + 1\n");

Piece piece_of(const Program& program, bool finished, bool verified) {
  return {
      .parsed = mutate::parse(program).value(), .mutations = {"history"}, .finished = finished, .verified = verified};
}

class KeepsBest : public ::testing::Test {
 protected:
  Finding finding_ = finding_of(kLarge.source(), "aot_eager", Mismatch::kValue, "output");
  Folder folder_;
  std::string id_ = finding_.signature.id();
  Reduction reducing_{subject_of(folder_.path(), finding_, true)};

  report::ReducedForm kept() { return report::load_reduced_form(folder_.path(), id_).value(); }
  void piece(const Program& program, bool finished, bool verified) {
    ASSERT_TRUE(keep_piece(folder_.path(), id_, piece_of(program, finished, verified), reducing_).ok());
  }
};

TEST_F(KeepsBest, ALargerOneTakesNoPlace) {
  ASSERT_TRUE(keep_better(folder_.path(), id_, {kSmall, {}}).ok());
  EXPECT_EQ(kept().best.program.source(), kSmall.source());
  EXPECT_FALSE(kept().verified);
  ASSERT_TRUE(keep_better(folder_.path(), id_, {kLarge, {}}).ok());
  EXPECT_EQ(kept().best.program.source(), kSmall.source());
  piece(kLarge, true, true);
  EXPECT_EQ(kept().best.program.source(), kSmall.source());
  EXPECT_FALSE(kept().finished) << "said of another program";
}

TEST_F(KeepsBest, OfTwoAsSimpleTheOneJudgedAsAWhole) {
  ASSERT_TRUE(keep_better(folder_.path(), id_, {kSmall, {}}).ok());
  piece(kAsSmall, false, false);
  EXPECT_EQ(kept().best.program.source(), kSmall.source());
  piece(kAsSmall, true, true);
  EXPECT_EQ(kept().best.program.source(), kAsSmall.source());
  EXPECT_TRUE(kept().finished && kept().verified);
  EXPECT_EQ(kept().best.mutations, std::vector<std::string>{"history"});
}

TEST_F(KeepsBest, WhatIsSaidOfAProgramIsNotTakenBack) {
  piece(kSmall, true, true);
  piece(kSmall, false, false);
  EXPECT_TRUE(kept().finished && kept().verified);
  ASSERT_TRUE(keep_better(folder_.path(), id_, {kSmall, {}}).ok());
  EXPECT_TRUE(kept().finished && kept().verified);
}

TEST_F(KeepsBest, WhatTestsDependOnStays) {
  ASSERT_TRUE(report::keep_reduced(folder_.path(), id_, kLarge, {"true_block"}).ok());
  ASSERT_TRUE(keep_better(folder_.path(), id_, {kSmall, {}}).ok());
  piece(kSmall, true, true);
  const auto forms = report::load_reduced_programs(folder_.path(), id_);
  ASSERT_EQ(forms.size(), 1U);
  EXPECT_EQ(forms.front().program.source(), kLarge.source());
  EXPECT_EQ(forms.front().mutations, std::vector<std::string>{"true_block"});
  EXPECT_EQ(report::load_reduced(folder_.path(), id_)->source(), kSmall.source());
}

TEST_F(KeepsBest, WhatIsOnTheWayIsNoBoundedResult) {
  ASSERT_TRUE(keep_better(folder_.path(), id_, {kSmall, {}}).ok());
  EXPECT_TRUE(report::load_reduced_programs(folder_.path(), id_).empty());
}

TEST_F(KeepsBest, ItsTrailIsThatOfTheProgramThatIsKept) {
  EXPECT_TRUE(report::load_trail(folder_.path(), id_).empty());
  Piece first = piece_of(kSmall, false, true);
  first.trail = {{{"drop_dead"}, kSmall.source()}};
  ASSERT_TRUE(keep_piece(folder_.path(), id_, first, reducing_).ok());
  EXPECT_EQ(report::load_trail(folder_.path(), id_), first.trail);
  Piece larger = piece_of(kLarge, true, true);
  larger.trail = {{{"rename_locals"}, kLarge.source()}};
  ASSERT_TRUE(keep_piece(folder_.path(), id_, larger, reducing_).ok());
  EXPECT_EQ(report::load_trail(folder_.path(), id_), first.trail);
}

TEST(Path, ItIsThatOfTheResultAlone) {
  const Program start = program_of("a\n"), one = program_of("b\n"), two = program_of("c\n"), slip = program_of("d\n");
  const Program three = program_of("e\n");
  ReductionPath path({{{"earlier"}, start.source()}});
  EXPECT_EQ(path.to(start), (report::Trail{{{"earlier"}, "a\n"}}));
  path.add(start, one, "drop_dead");
  path.add(one, two, "drop_dead");
  path.add(two, two, "tidy");
  path.add(two, slip, "rename_locals");
  EXPECT_EQ(path.to(slip).size(), 3U);
  // The last program did not stand in a full judgement: the reduction went back to the one before it.
  path.add(two, three, "join_lines");
  EXPECT_EQ(path.to(three), (report::Trail{{{"earlier"}, "a\n"}, {{"drop_dead"}, "c\n"}, {{"join_lines"}, "e\n"}}));
}

TEST(Late, ATestThatMeetsItFindsItAnew) {
  Folder folder;
  const std::string campaign = folder / "campaign";
  auto store = report::Store::create(campaign, {}).value();
  const Finding finding = finding_of(kLarge.source(), "aot_eager", Mismatch::kValue, "output");
  EXPECT_TRUE(store->add_finding(finding, report::kNoTest).value());
  EXPECT_FALSE(FindingIndex::of(campaign, true).value().has(finding.signature.id()));
  EXPECT_TRUE(report::list_sightings(campaign).value()[finding.signature.id()].empty());
  Finding again = finding_of(kSmall.source(), "aot_eager", Mismatch::kValue, "output");
  again.status = Finding::Status::kCandidate;
  EXPECT_TRUE(store->add_finding(again, 40).value()) << "as if nobody had met it";
  const auto rows = report::list_findings(campaign).value();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.front().first_test, 40U);
  EXPECT_EQ(rows.front().status, "candidate");
  EXPECT_EQ(report::load_finding(campaign, rows.front().id).value().program.source(), kSmall.source());
  EXPECT_TRUE(FindingIndex::of(campaign, true).value().has(finding.signature.id()));
}

pyrunner::Isolation isolation_of(const std::string& source, Mismatch mismatch, const std::string& depends_on = "") {
  const Signature signature = finding_of(kLarge.source(), "aot_eager", mismatch, "output").signature;
  return isolation_for(mutate::parse(program_of(source)).value(), signature, {.depends_on = depends_on});
}

TEST(Candidates, ShareAProcessUnlessItCouldBeLostOrChanged) {
  const std::string plain =
      "\"\"\"Text.\"\"\"\nimport torch\nfrom torch import nn\n\nK = 2\n\n\nclass A:\n    b = 1\n\n\n"
      "def program(x):\n    return x + 1\n";
  EXPECT_EQ(isolation_of(plain, Mismatch::kValue), pyrunner::Isolation::kBatch);
  EXPECT_EQ(isolation_of(plain, Mismatch::kCompilerError), pyrunner::Isolation::kBatch);
  for (Mismatch mismatch : {Mismatch::kDeath, Mismatch::kHang, Mismatch::kMemory})
    EXPECT_EQ(isolation_of(plain, mismatch), pyrunner::Isolation::kFresh);
  EXPECT_EQ(isolation_of(plain, Mismatch::kValue, "threads"), pyrunner::Isolation::kFresh);
  for (const char* line :
       {"torch.Tensor.expand = len\n", "torch.ops.aten.dropout.default.py_kernels.clear()\n",
        "[setattr(torch, k, 1) for k in ()]\n", "K, torch.a = 1, 2\n", "del torch.a\n", "if K:\n    torch.a = 1\n",
        "torch.a += 1\n", "@torch.library.register\ndef f():\n    pass\n", "a = torch.b = 1\n"})
    EXPECT_EQ(isolation_of(plain + line, Mismatch::kValue), pyrunner::Isolation::kFresh) << line;
}

}  // namespace
}  // namespace jp::campaign
