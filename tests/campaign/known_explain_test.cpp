// What known bugs explain of a divergence as it was found, on recorded judgements; and what a new campaign suppresses
// on their account.
#include "campaign/known/known_explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "campaign/known/known_judge.h"
#include "campaign/known/known_triggers.h"
#include "codec/codec.h"
#include "oracle/signature/signature.h"
#include "report/evidence.h"
#include "report/store.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::finding_of;
using report::test::Folder;
using Kind = UnderAvoid::Kind;

const std::string kSource = "import torch\n\n\ndef program(x):\n    return x.expand(2).dropout(x)\n";

report::KnownBug bug_of(const std::string& name, const std::string& pattern, const std::string& more = "") {
  const std::string head = "# A bug.\n# link: https://example.org/" + name + "\n# pattern: " + pattern + "\n" + more +
                           "# state: open\nimport torch\n\n\ndef make_inputs():\n    return (torch.ones(2),)\n\n\n"
                           "def program(x):\n    return x." +
                           name + "()\n";
  return report::parse_known(name, head).value();
}

report::KnownBug avoidable(const std::string& name, const std::string& pattern) {
  return bug_of(name, pattern, "# avoid: import " + name + "\n");
}

/// How the program diverges: of a kind, at a place, on a backend.
JudgedProgram judged_as(Mismatch mismatch, const std::string& where, const std::string& backend = "aot_eager") {
  const Finding finding = finding_of(kSource, backend, mismatch, where);
  return {.plan = finding.plan, .outcomes = {}, .verdict = finding.verdict, .signature = finding.signature};
}

/// A divergence, known bugs, and what the program shows when avoid lines are in it.
class Explain : public ::testing::Test {
 protected:
  /// By the names of the bugs that are avoided: how the program still diverges; what is missing agrees.
  std::map<std::set<std::string>, JudgedProgram> shows_;
  std::set<std::string> unjudged_;
  std::vector<report::KnownBug> bugs_;
  std::vector<BugLine> together_;
  int judged_ = 0;

  Explained explained() {
    const oracle::PlanOptions options{.backend = "inductor"};
    return explain(
        {report::test::program_of(kSource), options, shows_.at({})},
        [this](const Signature& signature) { return fitting(signature); }, together_,
        [this](const Diverging& shown, const std::vector<BugLine>& lines) { return under(shown, text_of(lines)); });
  }

  void try_all_together() {
    std::vector<const report::KnownBug*> all;
    for (const report::KnownBug& bug : bugs_) all.push_back(&bug);
    together_ = mending_lines(all);
  }

  static std::vector<std::string> names(const Explained& explained) {
    std::vector<std::string> names;
    for (const Recognised& bug : explained.bugs) names.push_back(bug.name);
    return names;
  }

 private:
  std::vector<const report::KnownBug*> fitting(const Signature& signature) {
    std::vector<const report::KnownBug*> found;
    for (const report::KnownBug& bug : bugs_)
      if (bug.has_pattern(signature, oracle::called_names(kSource))) found.push_back(&bug);
    return found;
  }

  UnderAvoid under(const Diverging& shown, const std::string& avoid) {
    ++judged_;
    EXPECT_EQ(shown.options.backend, "inductor") << "on the backend that was tested";
    const std::string source = avoid + "\n" + shown.program.source();
    std::set<std::string> avoided;
    for (const report::KnownBug& bug : bugs_)
      for (const std::string& line : bug.avoid)
        if (source.find(line + "\n") != std::string::npos) avoided.insert(bug.name);
    UnderAvoid under{Kind::kAgrees, "", report::test::program_of(source), {}};
    if (unjudged_.contains(avoid)) under.kind = Kind::kUnjudged;
    if (const auto left = shows_.find(avoided); left != shows_.end()) {
      under.kind = Kind::kDiverges;
      under.judged = left->second;
    }
    return under;
  }
};

const std::string kExpand = "kind=value; backend=aot_eager; call=expand";
const std::string kDropout = "kind=value; backend=aot_eager; call=dropout";

TEST_F(Explain, ABugWhoseLineMakesItAgree) {
  bugs_ = {avoidable("unfold", "kind=value; call=unfold"), avoidable("expand", kExpand)};
  shows_ = {{{}, judged_as(Mismatch::kValue, "output")}, {{"unfold"}, judged_as(Mismatch::kValue, "output")}};
  const Explained found = explained();
  ASSERT_EQ(names(found), std::vector<std::string>{"expand"});
  EXPECT_EQ(found.bugs[0].link, "https://example.org/expand");
  EXPECT_EQ(found.bugs[0].signature, shows_.at({}).signature);
  EXPECT_FALSE(found.rest);
  EXPECT_EQ(judged_, 1) << "the program doesn't call unfold";
}

TEST_F(Explain, NotWhatStaysUnderTheLine) {
  bugs_ = {avoidable("expand", kExpand)};
  const JudgedProgram wrong = judged_as(Mismatch::kValue, "output");
  shows_ = {{{}, wrong}, {{"expand"}, wrong}};
  EXPECT_TRUE(explained().bugs.empty());
}

TEST_F(Explain, NotByALineThatTellsNothing) {
  bugs_ = {avoidable("expand", kExpand)};
  shows_ = {{{}, judged_as(Mismatch::kValue, "output")}};
  unjudged_ = {"import expand"};
  EXPECT_TRUE(explained().bugs.empty());
}

TEST_F(Explain, ABugWithoutALineExplainsNothing) {
  bugs_ = {bug_of("expand", "kind=value; frame=output")};
  shows_ = {{{}, judged_as(Mismatch::kValue, "output")}};
  EXPECT_TRUE(explained().bugs.empty());
  EXPECT_EQ(judged_, 0);
}

TEST_F(Explain, TwoBugsOneBehindTheOther) {
  bugs_ = {avoidable("expand", kExpand), avoidable("dropout", "kind=state_after; call=dropout")};
  shows_ = {{{}, judged_as(Mismatch::kValue, "output")}, {{"expand"}, judged_as(Mismatch::kStateAfter, "inputs")}};
  const Explained found = explained();
  EXPECT_EQ(names(found), (std::vector<std::string>{"expand", "dropout"}));
  EXPECT_EQ(found.bugs[1].signature.kind, "state_after");
  EXPECT_FALSE(found.rest);
}

TEST_F(Explain, WrongValuesInFullOrNotAtAll) {
  bugs_ = {avoidable("expand", kExpand)};
  shows_ = {{{}, judged_as(Mismatch::kValue, "output")}, {{"expand"}, judged_as(Mismatch::kCompilerError, "call")}};
  const Explained found = explained();
  EXPECT_TRUE(found.bugs.empty()) << "the line may have exchanged the bug for another one";
  EXPECT_FALSE(found.rest);
}

TEST_F(Explain, AnExceptionIsRecognisedAndTheRestIsNot) {
  bugs_ = {avoidable("expand", "kind=compiler_error; frame=call")};
  shows_ = {{{}, judged_as(Mismatch::kCompilerError, "call")},
            {{"expand"}, judged_as(Mismatch::kValue, "output", "inductor")}};
  const Explained found = explained();
  EXPECT_EQ(names(found), std::vector<std::string>{"expand"});
  ASSERT_TRUE(found.rest) << "what remains is a divergence of its own";
  EXPECT_EQ(found.rest->judged.signature, shows_.at({"expand"}).signature);
  EXPECT_NE(found.rest->program.source().find("import expand\n"), std::string::npos);
}

TEST_F(Explain, NothingUnderACondition) {
  bugs_ = {avoidable("expand", kExpand)};
  shows_ = {{{}, judged_as(Mismatch::kValue, "output")}};
  shows_.at({}).plan.depends_on = oracle::kThreads;
  EXPECT_TRUE(explained().bugs.empty());
  EXPECT_EQ(judged_, 0);
}

TEST_F(Explain, SoManyLinesAreTriedAndNoMore) {
  const JudgedProgram wrong = judged_as(Mismatch::kValue, "output");
  shows_ = {{{}, wrong}};
  for (int i = 0; i < 2 * kMostLines; ++i) {
    bugs_.push_back(avoidable("bug" + std::string(1, static_cast<char>('a' + i)), kExpand));
    shows_[{bugs_.back().name}] = wrong;
  }
  EXPECT_TRUE(explained().bugs.empty());
  EXPECT_EQ(judged_, kMostLines);
}

TEST_F(Explain, ABugThatLooksOtherwiseHere) {
  bugs_ = {avoidable("unfold", "kind=shape; call=unfold"), avoidable("flip", "kind=shape; call=flip"),
           avoidable("relu", "kind=shape; call=relu")};
  const JudgedProgram wrong = judged_as(Mismatch::kValue, "output");
  shows_ = {{{}, wrong}, {{"unfold"}, wrong}, {{"relu"}, wrong}, {{"unfold", "relu"}, wrong}};
  EXPECT_TRUE(explained().bugs.empty()) << "nothing fits";
  try_all_together();
  const Explained found = explained();
  ASSERT_EQ(names(found), std::vector<std::string>{"flip"});
  EXPECT_EQ(found.bugs[0].signature, wrong.signature);
  EXPECT_FALSE(found.rest);
}

TEST_F(Explain, TwoBugsThatLookOtherwiseHere) {
  bugs_ = {avoidable("unfold", "kind=shape; call=unfold"), avoidable("flip", "kind=shape; call=flip"),
           avoidable("relu", "kind=shape; call=relu")};
  try_all_together();
  const JudgedProgram wrong = judged_as(Mismatch::kValue, "output");
  for (const std::set<std::string>& lines :
       std::vector<std::set<std::string>>{{}, {"unfold"}, {"flip"}, {"relu"}, {"unfold", "flip"}, {"flip", "relu"}})
    shows_[lines] = wrong;
  EXPECT_EQ(names(explained()), (std::vector<std::string>{"unfold", "relu"}));
}

TEST_F(Explain, WhatRemainsOfAnExceptionMayLookOtherwise) {
  bugs_ = {avoidable("expand", "kind=compiler_error; frame=call"), avoidable("flip", "kind=shape; call=flip")};
  try_all_together();
  shows_ = {{{}, judged_as(Mismatch::kCompilerError, "call")}, {{"expand"}, judged_as(Mismatch::kValue, "output")}};
  const Explained found = explained();
  EXPECT_EQ(names(found), (std::vector<std::string>{"expand", "flip"}));
  EXPECT_FALSE(found.rest);
}

TEST_F(Explain, ANewBugCostsOneJudgementUnderAllLines) {
  bugs_ = {avoidable("unfold", "kind=shape; call=unfold"), avoidable("flip", "kind=shape; call=flip")};
  try_all_together();
  const JudgedProgram wrong = judged_as(Mismatch::kValue, "output");
  shows_ = {{{}, wrong}, {{"unfold", "flip"}, wrong}};
  EXPECT_TRUE(explained().bugs.empty());
  EXPECT_EQ(judged_, 1);
}

TEST(MendingLines, OncePythonAndNotThoseAroundABug) {
  const std::vector<report::KnownBug> bugs = {
      bug_of("one", "frame=x", "# avoid: import one\n# around: import around\n# avoid: switch dynamic\n"),
      bug_of("two", "frame=x", "# avoid: import one\n# avoid: import two\n")};
  const std::vector<BugLine> lines = mending_lines({&bugs[0], &bugs[1]});
  EXPECT_EQ(text_of(lines), "import one\nimport two");
  EXPECT_EQ(lines[0].bug, &bugs[0]);
  EXPECT_EQ(bugs[0].lines(), (std::vector<std::string>{"import one", "switch dynamic", "import around"}));
}

TEST(NeededLines, ForEachSubsetOfNine) {
  std::vector<BugLine> lines;
  for (int i = 0; i < 9; ++i) lines.push_back({nullptr, std::to_string(i)});
  for (unsigned wanted = 1; wanted < 1U << 9U; ++wanted) {
    std::set<std::string> names;
    for (unsigned i = 0; i < 9; ++i)
      if ((wanted >> i & 1U) != 0) names.insert(std::to_string(i));
    int asked = 0;
    const auto agrees = [&](const std::vector<BugLine>& some) {
      ++asked;
      return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        return std::any_of(some.begin(), some.end(), [&](const BugLine& line) { return line.text == name; });
      });
    };
    std::set<std::string> found;
    for (const BugLine& line : needed_lines(lines, 3, agrees)) found.insert(line.text);
    EXPECT_EQ(found, names.size() <= 3 ? names : std::set<std::string>{});
    EXPECT_LE(asked, 2 + 3 * 5);
  }
}

TEST(NeededLines, NoneOfWhatShowsByChance) {
  const std::vector<BugLine> lines = {{nullptr, "one"}, {nullptr, "two"}};
  int asked = 0;
  EXPECT_TRUE(needed_lines(lines, 3, [&](const auto&) { return ++asked > 0; }).empty());
  EXPECT_EQ(asked, 2);
  EXPECT_TRUE(needed_lines({}, 3, [&](const auto&) { return ++asked > 0; }).empty());
  EXPECT_EQ(asked, 2);
}

TEST(NeededLines, LikelyOnesAreAskedFirst) {
  std::vector<BugLine> lines(40);
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i] = {nullptr, std::to_string(i), i < 2};
  for (const std::string needed : {"1", "17"}) {
    int asked = 0;
    const auto agrees = [&](const std::vector<BugLine>& some) {
      ++asked;
      return std::any_of(some.begin(), some.end(), [&](const BugLine& line) { return line.text == needed; });
    };
    const std::vector<BugLine> found = needed_lines(lines, 3, agrees);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].text, needed);
    EXPECT_LE(asked, needed == "1" ? 5 : 10);
  }
}

TEST(ShowsOn, TheBackendsThatItNamesAndThoseAbove) {
  const auto on = [](const std::string& backend) {
    return bug_of("one", "frame=x", "# signature: 0123456789abcdef v7 value " + backend + "\n");
  };
  EXPECT_TRUE(shows_on(on("aot_eager"), "inductor"));
  EXPECT_FALSE(shows_on(on("inductor"), "aot_eager"));
  EXPECT_TRUE(shows_on(on("planted:compile"), "planted:compile"));
  EXPECT_FALSE(shows_on(on("planted:compile"), "inductor"));
  EXPECT_FALSE(shows_on(on("eager"), "planted:compile"));
  EXPECT_TRUE(shows_on(bug_of("one", "frame=x"), "eager"));
  EXPECT_FALSE(shows_on(bug_of("one", "frame=x"), "planted:compile"));
}

TEST(Fitting, BugsThatReproduceAndAreNoRegression) {
  std::vector<report::KnownBug> bugs = {avoidable("expand", kExpand), avoidable("dropout", kDropout),
                                        avoidable("relu", "kind=value; call=relu"), avoidable("again", kExpand)};
  bugs.back().gone = {"2.13.0"};
  const std::vector<Standing> standings = {Standing::kHere, Standing::kGone, Standing::kHere, Standing::kHere};
  const KnownJudge judge(bugs, standings, "2.13.0+cpu");
  const auto fitting = judge.fitting(judged_as(Mismatch::kValue, "output").signature, oracle::called_names(kSource));
  ASSERT_EQ(fitting.size(), 1U) << "dropout is gone, relu isn't called, the last one has come back";
  EXPECT_EQ(fitting[0]->name, "expand");
  EXPECT_TRUE(judge.fitting(judged_as(Mismatch::kValue, "output", "inductor").signature, {"expand"}).empty())
      << "a bug of another backend";
}

TEST(Fitting, BugsComeFirstWhoseOwnProgramCallsNothingElse) {
  const std::string other = "call=expand";
  const std::vector<report::KnownBug> bugs = {bug_of("tanh", "call=expand; call=dropout"), avoidable("sort", other),
                                              avoidable("expand", other)};
  const KnownJudge judge(bugs, {Standing::kHere, Standing::kHere, Standing::kHere}, "2.13.0+cpu");
  const auto names = [&](Mismatch mismatch) {
    std::string all;
    for (const report::KnownBug* bug :
         judge.fitting(judged_as(mismatch, "output").signature, oracle::called_names(kSource)))
      all += bug->name + " ";
    return all;
  };
  EXPECT_EQ(names(Mismatch::kValue), "expand tanh sort ");
}

TEST(KnownTriggers, OfBugsThatTheBackendsCanShow) {
  const auto on = [](const std::string& name, const std::string& backend) {
    return bug_of(name, "kind=value; frame=output", "# signature: 0123456789abcdef v6 value " + backend + "\n");
  };
  const std::vector<report::KnownBug> bugs = {on("expand", "eager"), on("dropout", "inductor"),
                                              on("relu", "aot_eager")};
  const std::vector<Standing> standings = {Standing::kHere, Standing::kHere, Standing::kGone};
  const auto of = [&](const std::vector<std::string>& backends) {
    return triggers_of({.bugs = bugs}, standings, backends).value();
  };
  EXPECT_EQ(of({"aot_eager"}), (std::vector<Features>{{"op:expand"}}));
  EXPECT_EQ(of({"aot_eager", "inductor"}), (std::vector<Features>{{"op:dropout"}, {"op:expand"}}));
  EXPECT_TRUE(of({"file:/backend.py"}).empty());
}

TEST(KnownTriggers, OfEarlierCampaigns) {
  Folder folder;
  const Finding finding = finding_of("def program(x):\n    return x.relu()\n", "eager", Mismatch::kValue, "output");
  {
    auto store = report::Store::create(folder.path(), {}).value();
    ASSERT_TRUE(store->add_finding(finding, 3).ok());
    ASSERT_TRUE(report::keep_reduced(folder.path(), finding.signature.id(), finding.program, {}).ok());
  }
  EXPECT_EQ(triggers_of({.campaigns = {folder.path(), folder.path()}}, {}, {"eager"}).value(),
            (std::vector<Features>{{"op:relu"}}));
  EXPECT_FALSE(triggers_of({.campaigns = {folder / "none"}}, {}, {"eager"}).ok());
}

}  // namespace
}  // namespace jp::campaign
