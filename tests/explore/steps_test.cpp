// Lists of steps in which some are switched off.
#include "answers/steps.h"

#include <gtest/gtest.h>

namespace jp::answers {
namespace {

const std::string kSource = "def program(x):\n    y = x\n    z = y\n    return z\n";
const std::string kLoop = "wrap_loop@s1=0,1";

mutate::Parsed base() { return mutate::parse(Program::make(kSource, {}).value()).value(); }

TEST(Steps, AStepThatIsOffKeepsItsNumber) {
  const Replayed all = replay_written(base(), {kLoop, "wrap_loop@s2=0,1"});
  ASSERT_EQ(all.steps.size(), 2U);
  EXPECT_EQ(all.steps[0].error, "");
  EXPECT_EQ(all.steps[1].error, "");
  EXPECT_EQ(all.made.program().lineage().steps[1].number, 1);
  const Replayed one = replay_written(base(), {"", "wrap_loop@s2=0,1"});
  EXPECT_EQ(one.steps[0].source, kSource);
  ASSERT_EQ(one.made.program().lineage().steps.size(), 1U);
  EXPECT_EQ(one.made.program().lineage().steps[0].number, 1);
}

TEST(Steps, OneThatDoesNotApplyIsPassedOverWithItsReason) {
  const Replayed replayed = replay_written(base(), {"wrap_loop@s99=0,1", "nothing@s1", "words", kLoop});
  EXPECT_NE(replayed.steps[0].error.find("s99"), std::string::npos);
  EXPECT_NE(replayed.steps[1].error.find("there is no mutation 'nothing'"), std::string::npos);
  EXPECT_NE(replayed.steps[2].error, "");
  EXPECT_EQ(replayed.steps[2].source, kSource);
  EXPECT_EQ(replayed.steps[3].error, "");
  EXPECT_EQ(replayed.steps[3].exactness, "bitwise");
  EXPECT_EQ(replayed.made.program().lineage().steps.size(), 1U);
}

TEST(Steps, TextsStandAtTheirNumbers) {
  const Replayed replayed = replay_written(base(), {"", kLoop, "", "wrap_loop@s2=0,1"});
  const std::vector<std::string> texts = placed(replayed.made.program().lineage().steps);
  EXPECT_EQ(texts, (std::vector<std::string>{"", kLoop, "", "wrap_loop@s2=0,1"}));
}

TEST(Steps, ALineageIsOneLineOrManyAndKeepsItsPlaces) {
  const std::vector<std::string> texts = {"true_block@s3:s5=1,'x > 0; y'", "", R"(wrap_try@m0.0=5,'it\'s \\','a\nb')",
                                          "break_graph@s8:s9"};
  const auto read = [](const std::string& text) { return read_lineage(text).value(); };
  EXPECT_EQ(read(texts[0] + "; -; " + texts[2] + "; " + texts[3]), texts);
  EXPECT_EQ(read(texts[0] + "\n\n" + texts[2] + "\n" + texts[3] + "\n"), texts);
  EXPECT_EQ(read(texts[0] + ";\r\n" + texts[2] + " ;" + texts[3] + "; -\n\n"), texts);
  EXPECT_EQ(read("-; wrap_loop@s1"), (std::vector<std::string>{"", "wrap_loop@s1"}));
  EXPECT_EQ(read(" \n; -"), std::vector<std::string>{});
}

TEST(Steps, ALineageWithAnythingElseIsRefused) {
  EXPECT_NE(read_lineage("wrap_loop@s1; nothing@s2").error().message.find("there is no mutation 'nothing'"),
            std::string::npos);
  EXPECT_NE(read_lineage("wrap_loop@s1\nnonsense").error().message.find("nonsense"), std::string::npos);
  // Quotes that nothing closes end with their line.
  EXPECT_FALSE(read_lineage("wrap_loop@s1='0\nwrap_loop@s2=0,1").ok());
  EXPECT_NE(read_lineage("wrap_loop@s1=0,1\nnonsense=';x").error().message.find("nonsense"), std::string::npos);
}

TEST(Steps, AStepCanGetAnotherNumber) {
  const mutate::Parsed made = replay_written(base(), {kLoop}).made;
  const mutate::Parsed same = renumbered(base(), made, 0).value();
  EXPECT_EQ(same.source(), made.source());
  const mutate::Parsed other = renumbered(base(), made, 4).value();
  EXPECT_EQ(other.program().lineage().steps[0].number, 4);
  EXPECT_EQ(other.source(), replay_written(base(), {"", "", "", "", kLoop}).made.source());
}

}  // namespace
}  // namespace jp::answers
