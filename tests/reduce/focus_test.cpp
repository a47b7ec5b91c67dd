// The first step of a reduction: the output that shows the fault is kept alone.
#include "oracle/reduce/focus.h"

#include <gtest/gtest.h>

#include "helpers.h"

namespace jp::reduce {
namespace {

using testing::asker;
using testing::holds_all;
using testing::parsed_from;

constexpr const char* kProgram = R"(import torch


def make_inputs():
    return (torch.ones(3), torch.ones(3))


def program(x, y):
    a = torch.relu(x)
    b = y.mul_(2)
    c = a + 1
    d = b + 1
    return c, d, x
)";

TEST(Focus, KeepsOneOutputAndWhatItNeeds) {
  const std::vector<Parsed> found = focus(parsed_from(kProgram), 0);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_TRUE(holds_all(found[0].source(), {"program(x):", "a = torch.relu(x)", "c = a + 1", "return c"}));
  EXPECT_TRUE(holds_all(found[1].source(), {"program(x, y):", "a = torch.relu(x)", "c = a + 1", "return c"}));
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(found[i].source().find("mul_"), std::string::npos);
    EXPECT_EQ(found[i].source().find("return c, d"), std::string::npos);
  }
  EXPECT_TRUE(holds_all(found[2].source(), {"b = y.mul_(2)", "d = b + 1", "return c"}));
}

TEST(Focus, HasNothingToProposeWhereOutputsAreNotListed) {
  EXPECT_TRUE(focus(parsed_from(kProgram), 3).empty());
  EXPECT_TRUE(focus(parsed_from("def program(x):\n    return x\n"), 0).empty());
  EXPECT_TRUE(focus(parsed_from("def program(x):\n    return (x,)\n"), 0).empty());
  EXPECT_TRUE(focus(parsed_from("def program(x):\n    if x:\n        return x, 1\n    return x, 2\n"), 0).empty());
  EXPECT_TRUE(focus(parsed_from("def other(x):\n    return x, 1\n"), 0).empty());
}

// Two outputs show a fault each, which look alike: the first one found is the one that stays.
TEST(Focus, KeepsTheFaultThatWasSeen) {
  for (const std::size_t output : {0U, 1U}) {
    Problem problem;
    problem.output = output;
    problem.first_interesting = asker([](const Program& program) {
      return program.source().find("relu(x)") != std::string::npos ||
             program.source().find("mul_(2)") != std::string::npos;
    });
    const Reduced reduced = reduce(parsed_from(kProgram), problem);
    EXPECT_TRUE(holds_all(reduced.parsed.source(), {output == 0 ? "relu(x)" : "mul_(2)"})) << reduced.parsed.source();
    EXPECT_EQ(reduced.progress.passes.at("focus").accepted, 1);
  }
}

TEST(Focus, IsGivenUpWhereTheFaultNeedsMore) {
  Problem problem;
  problem.output = 0;
  problem.first_interesting = asker([](const Program& program) {
    return holds_all(program.source(), {"c", "d", "x", "return c, d"});
  });
  const Reduced reduced = reduce(parsed_from(kProgram), problem);
  EXPECT_TRUE(holds_all(reduced.parsed.source(), {"return c, d"}));
  EXPECT_EQ(reduced.progress.passes.at("focus").accepted, 0);
}

}  // namespace
}  // namespace jp::reduce
