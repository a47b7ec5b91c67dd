// What steps touch, and steps that keep away from what is known.
#include "campaign/feedback/step_coverage.h"

#include <gtest/gtest.h>

#include "seedgen/generate.h"

namespace jp::campaign {
namespace {

mutate::Parsed parsed(const std::string& body) {
  Program program = Program::make("import torch\n\n\ndef program(x, y):\n" + body, {}).value();
  return mutate::parse(program).value();
}

std::string touched_at(const mutate::Parsed& program, const std::string& text) {
  for (const mutate::Statement& statement : program.statements())
    if (program.source().substr(statement.begin, text.size()) == text)
      return step_features_of(program, {1, "wrap_try", {statement.id, ""}, {}});
  return "no such statement";
}

TEST(Touched, MutationKindOfStatementAndOperator) {
  const mutate::Parsed program = parsed(
      "    a = torch.nn.functional.relu(x)\n    b = a * y\n    b.add_(torch.ones(2))\n    c = helper(b)\n    a += c\n"
      "    for i in range(2):\n        a = a - b\n    d = x\n    return a\n");
  EXPECT_EQ(touched_at(program, "a = torch"), "wrap_try assignment relu");
  EXPECT_EQ(touched_at(program, "b = a"), "wrap_try assignment *");
  EXPECT_EQ(touched_at(program, "b.add_"), "wrap_try call add_");
  EXPECT_EQ(touched_at(program, "c = "), "wrap_try assignment function");
  EXPECT_EQ(touched_at(program, "a += "), "wrap_try augmented_assignment +=");
  EXPECT_EQ(touched_at(program, "for i"), "wrap_try for_statement -");
  EXPECT_EQ(touched_at(program, "d = x"), "wrap_try assignment -");
  EXPECT_EQ(touched_at(program, "return a"), "wrap_try return_statement -");
  EXPECT_EQ(step_features_of(program, {1, "wrap_try", {"s99", ""}, {}}), "");
}

TEST(Touched, OneForEachStepOfALineage) {
  const Program seed = seedgen::generate(3, {}).value();
  mutate::Parsed now = mutate::parse(seed).value();
  std::vector<std::string> expected;
  for (std::uint64_t i = 0; i < 6; ++i) {
    Choices choices(i);
    auto next = mutate::random_step(now, {}, choices);
    ASSERT_TRUE(next.has_value());
    expected.push_back(step_features_of(now, next->program().lineage().steps.back()));
    now = *std::move(next);
  }
  EXPECT_EQ(step_features_of(seed, now.program().lineage().steps), expected);
}

TEST(Touched, AGuideMostlyGivesWhatIsNewAndCountsThatAlone) {
  const mutate::Parsed program = mutate::parse(seedgen::generate(3, {}).value()).value();
  const auto step = [&](std::uint64_t seed, const std::set<std::string>& known, mutate::Counts* counts) {
    Choices choices(seed);
    auto made = guided_step(program, {}, choices, {}, counts, known);
    return step_features_of(program, made.value().program().lineage().steps.back());
  };
  std::set<std::string> known;
  for (std::uint64_t seed = 0; seed < 100; ++seed) known.insert(step(seed, {}, nullptr));
  int plain = 0;
  int guided = 0;
  mutate::Counts counts;
  for (std::uint64_t seed = 100; seed < 300; ++seed) {
    plain += known.contains(step(seed, {}, nullptr)) ? 1 : 0;
    guided += known.contains(step(seed, known, &counts)) ? 1 : 0;
  }
  EXPECT_GT(plain, 20) << "of the known";
  EXPECT_LT(guided * 3, plain);
  std::int64_t applied = 0;
  for (const auto& [id, count] : counts) applied += count.applied;
  EXPECT_EQ(applied, 200);
}

TEST(Touched, WithNothingKnownAGuideDrawsAsNoGuide) {
  const mutate::Parsed program = mutate::parse(seedgen::generate(3, {}).value()).value();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Choices plain(seed);
    Choices guided(seed);
    EXPECT_EQ(guided_step(program, {}, guided, {}, nullptr, {}).value().source(),
              mutate::random_step(program, {}, plain).value().source());
  }
}

}  // namespace
}  // namespace jp::campaign
