// Judging a divergence again under a line: where every run shows what it did, no control run is asked for.
#include "campaign/known/as_before.h"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "core/verdict.h"
#include "tests/oracle/build.h"

namespace jp::campaign {
namespace {

using oracle::test::Recorded;
using oracle::test::tensor_of;

Outcome showing(const std::string& role, const std::vector<float>& output) {
  Recorded run;
  run.call().output = run.add(tensor_of("float32", output));
  return run.outcome(role);
}

Outcome raising(const std::string& role, const std::string& message, const std::vector<Frame>& frames) {
  Recorded run;
  run.call().exception =
      ExceptionRecord{.type = "builtins.RuntimeError", .bases = {}, .message = message, .frames = frames};
  run.call().exception_line = frames.back().line;
  return run.outcome(role);
}

const oracle::Oracle& oracle_used() { return need_oracle("eager_vs_compiled"); }

/// A judgement whose runs are all in `outcomes`, those that the oracle asks for too; `asked` counts the latter.
JudgedProgram judged(const oracle::Oracle& oracle, const std::vector<float>& eager, const Outcome& compiled,
                     int& asked) {
  JudgedProgram judged;
  judged.plan = oracle.plan(Program::make("def program(x):\n    return x\n", {}).value(), {.backend = "aot_eager"});
  std::vector<RunRequest> wanted = judged.plan.runs;
  judged.verdict = decide(oracle, judged.plan, judged.outcomes, wanted, [&](const std::vector<RunRequest>& runs) {
    std::vector<Outcome> made;
    for (const RunRequest& run : runs) {
      const bool planned = run.role == "eager" || run.role == "eager_again" || run.role == "compiled";
      asked += planned ? 0 : 1;
      made.push_back(run.compiled ? compiled : showing("", eager));
      made.back().role = run.role;
    }
    return made;
  });
  return judged;
}

JudgedProgram diverging(const Outcome& compiled) {
  int asked = 0;
  JudgedProgram before = judged(oracle_used(), {1, 2}, compiled, asked);
  EXPECT_EQ(before.verdict.kind, Verdict::Kind::kDiverge);
  EXPECT_GT(asked, 0);
  return before;
}

TEST(AsBefore, AsksForNothingWhereNothingChanged) {
  const JudgedProgram before = diverging(showing("compiled", {1, 3}));
  const AsBefore as_before(oracle_used(), before);
  int asked = 0;
  const JudgedProgram again = judged(as_before, {1, 2}, showing("compiled", {1, 3}), asked);
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(again.verdict, before.verdict);
  EXPECT_TRUE(as_before.are_same(again.outcomes));
}

TEST(AsBefore, JudgesWhatChanged) {
  const JudgedProgram before = diverging(showing("compiled", {1, 3}));
  const AsBefore as_before(oracle_used(), before);
  int asked = 0;
  const JudgedProgram other = judged(as_before, {1, 2}, showing("compiled", {1, 4}), asked);
  EXPECT_GT(asked, 0) << "another wrong number";
  EXPECT_EQ(other.verdict.kind, Verdict::Kind::kDiverge);
  EXPECT_FALSE(as_before.are_same(other.outcomes));
  const JudgedProgram mended = judged(as_before, {1, 2}, showing("compiled", {1, 2}), asked);
  EXPECT_EQ(mended.verdict.kind, Verdict::Kind::kAgree);
}

TEST(AsBefore, ANegativeZeroIsNoZero) {
  EXPECT_FALSE(shows_the_same(showing("", {0.0F}), showing("", {-0.0F})));
  EXPECT_TRUE(shows_the_same(showing("eager", {0.0F}), showing("compiled", {0.0F})));
}

TEST(AsBefore, LinesOfTheProgramMayMove) {
  const Outcome raised = raising("compiled", "shape [3] is invalid, program.py line 7",
                                 {{"/tmp/inductor/c4/c4a.py", "call", 12}, {"program", "program", 7}});
  EXPECT_TRUE(shows_the_same(raised, raising("compiled", "shape [3] is invalid, program.py line 9",
                                             {{"/tmp/inductor/xy/xyz.py", "call", 14}, {"program", "program", 9}})));
  EXPECT_FALSE(shows_the_same(raised, raising("compiled", "a view is invalid", {{"program", "program", 7}})));
  const Outcome within = raising("compiled", "no", {{"site-packages/torch/a.py", "f", 1}, {"program", "program", 7}});
  const Outcome other = raising("compiled", "no", {{"site-packages/torch/b.py", "f", 1}, {"program", "program", 7}});
  EXPECT_FALSE(shows_the_same(within, other));
}

TEST(AsBefore, ARunThatDidNotFinishIsLikeNone) {
  const Outcome died{"compiled", Died{.how = "signal", .signal = 11}, 0.1};
  EXPECT_FALSE(shows_the_same(died, died));
}

}  // namespace
}  // namespace jp::campaign
