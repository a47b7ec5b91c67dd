// Stage one on a program that real mutations made.
#include "oracle/reduce/lineage.h"

#include <gtest/gtest.h>

#include "helpers.h"
#include "mutate/engine/engine.h"

namespace jp::reduce {
namespace {

using testing::asker;
using testing::parsed_from;

const char* const kBase =
    "import torch\n"
    "def make_inputs():\n"
    "    return (torch.ones(3),)\n"
    "def program(x):\n"
    "    a = x + 2\n"
    "    b = a * 3\n"
    "    return b\n";

Parsed mutated(const Parsed& base, const std::vector<std::string>& steps) {
  Parsed now = base;
  for (const std::string& text : steps) {
    auto written = mutate::parse_step(text);
    JP_CHECK(written.ok(), "{}", text);
    const Step& step = written.value().step;
    Choices choices = Choices::replay(step.draws);
    auto made = mutate::apply(now, {}, *mutate::Mutations::instance().find(step.mutation), step.site, choices);
    JP_CHECK(made, "{} does not apply", text);
    now = *made;
  }
  return now;
}

TEST(Lineage, DropsStepsThatTheFaultDoesWithout) {
  const Parsed base = parsed_from(kBase);
  const Parsed start = mutated(base, {"constant_to_input@s4:0", "constant_to_input@s5:0"});
  ASSERT_EQ(start.program().lineage().steps.size(), 2U);
  Problem problem;
  problem.first_interesting = asker([](const Program& program) {
    return program.source().find("(x, n1)") != std::string::npos ||
           program.source().find("n0, n1") != std::string::npos;
  });
  const Reduced reduced = reduce_lineage(base, start.program().lineage().steps, problem, {});
  EXPECT_TRUE(reduced.finished);
  ASSERT_EQ(reduced.parsed.program().lineage().steps.size(), 1U);
  EXPECT_EQ(reduced.parsed.program().lineage().steps[0].number, 1);
  // On top of the seed, whose sizes and values have become small.
  std::string small = kBase;
  for (const auto& [large, little] : {std::pair("ones(3)", "ones(1)"), {"x + 2", "x + 1"}, {"a * 3", "a * 1"}})
    small.replace(small.find(large), std::string(large).size(), little);
  EXPECT_EQ(mutate::replay(parsed_from(small), reduced.parsed.program().lineage().steps).source(),
            reduced.parsed.source());
}

// Each garbage step stands at the statement of the one before it, and only the last one is needed.
TEST(Lineage, MovesStepsFromStatementsOfDroppedOnes) {
  const Parsed base = parsed_from(kBase);
  const std::string first = "zero_garbage@s4=0,'([torch] \"a = a + a * torch.relu(-a.abs())\")'";
  const Parsed start = mutated(base, {first, "zero_garbage@m0.0=0,'([torch] \"a = a + a * torch.relu(-a.exp())\")'",
                                      "zero_garbage@m1.0=0,'([torch] \"a = a + a * torch.relu(-a.square())\")'"});
  ASSERT_EQ(start.program().lineage().steps.size(), 3U);
  Problem problem;
  problem.first_interesting =
      asker([](const Program& program) { return program.source().find("square") != std::string::npos; });
  const Reduced reduced = reduce_lineage(base, start.program().lineage().steps, problem, {});
  ASSERT_EQ(reduced.parsed.program().lineage().steps.size(), 1U);
  EXPECT_EQ(reduced.parsed.program().lineage().steps[0].site.statement, "s4");
}

// What is needed of a step is its statement alone.
TEST(Lineage, ReplacesWhatAStepComputesByItsConstant) {
  const Parsed base = parsed_from(kBase);
  const Parsed start = mutated(base, {"zero_garbage@s4=0,'([torch] \"a = a + a * torch.relu(-a.abs())\")'"});
  ASSERT_EQ(start.program().lineage().steps.size(), 1U);
  Problem problem;
  problem.first_interesting =
      asker([](const Program& program) { return program.source().find("a = a + ") != std::string::npos; });
  const Reduced reduced = reduce_lineage(base, start.program().lineage().steps, problem, {});
  EXPECT_NE(reduced.parsed.source().find("a = a + 0\n"), std::string::npos) << reduced.parsed.source();
  const std::vector<Step>& steps = reduced.parsed.program().lineage().steps;
  EXPECT_EQ(mutate::replay(parsed_from(kBase), steps).program().lineage().steps, steps);
}

TEST(Lineage, TakesTheSmallestSeedThatDoes) {
  auto sized = [](const Seed& seed) -> std::optional<Parsed> {
    std::string text = "def program(x):\n";
    for (int i = 0; i < seed.operators; ++i) text += "    x = x + " + std::to_string(i) + "\n";
    Lineage lineage;
    lineage.seed = seed;
    auto program = Program::make(text + "    return x\n", lineage);
    return mutate::parse(program.value()).value();
  };
  Seed seed{.origin = Seed::Origin::kGenerated, .seed = 3, .operators = 20};
  Problem problem;
  problem.first_interesting =
      asker([](const Program& program) { return program.source().find("x + 3\n") != std::string::npos; });
  const Reduced reduced = reduce_lineage(*sized(seed), {}, problem, sized);
  EXPECT_EQ(reduced.parsed.program().lineage().seed.operators, 4);
  EXPECT_EQ(reduced.parsed.statements().size(), 6U);
}

// Sizes of the seed that steps recorded follow the seed: editing the mutant's text would break it.
TEST(Lineage, MakesTheSeedsDataSmall) {
  const Parsed base = parsed_from(
      "import torch\n"
      "def make_inputs():\n"
      "    return (torch.ones(17, 5, dtype=torch.float16),)\n"
      "def program(x):\n"
      "    a = x.reshape(5, 17)\n"
      "    b = a * 3\n"
      "    return b\n");
  const Parsed start = mutated(base, {"constant_to_input@s5:0"});
  ASSERT_EQ(start.program().lineage().steps.size(), 1U);
  Problem problem;
  problem.first_interesting = asker([](const Program& program) {
    return program.lineage().steps.size() == 1 && program.source().find("reshape") != std::string::npos;
  });
  const Reduced reduced = reduce_lineage(base, start.program().lineage().steps, problem, {});
  EXPECT_TRUE(reduced.finished);
  ASSERT_EQ(reduced.parsed.program().lineage().steps.size(), 1U);
  const std::string& source = reduced.parsed.source();
  EXPECT_EQ(source.find("17"), std::string::npos) << source;
  EXPECT_EQ(source.find("float16"), std::string::npos) << source;
}

}  // namespace
}  // namespace jp::reduce
