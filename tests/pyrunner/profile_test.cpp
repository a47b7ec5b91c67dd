// Facts before and after each statement, merged over visits and calls.
#include "common.h"

namespace jp::pyrunner::test {
namespace {

// Lines are counted in the test: the text starts with line 1.
constexpr const char* kProgram = R"(import torch
SCALE = 3


def make_inputs():
    x = torch.arange(6.0).reshape(2, 3)
    return [(x, x[0], 1), (x * 1, torch.ones(3), 1)]


def program(x, y, n):
    """Documented."""
    z = x + y
    for i in range(n + 1):
        z = z * SCALE
    items = [z, {"k": y}]
    once = iter([1, 2])
    if z.sum() > 1e9:
        z = z - 1
    return z.t(), sum(once), items
)";

const std::vector<StatementPlace> kPlaces = {{"docs", 11, 4, 11, 21}, {"add", 12, 4, 12, 13},   {"loop", 13, 4, 14, 21},
                                             {"body", 14, 8, 14, 21}, {"items", 15, 4, 15, 25}, {"once", 16, 4, 16, 24},
                                             {"if", 17, 4, 18, 17},   {"dead", 18, 8, 18, 17},  {"end", 19, 4, 19, 34}};

Facts facts_of(const std::string& source, const std::vector<StatementPlace>& places) {
  Runner::Profile profile = shared_runner().profile(program_of(source), places);
  EXPECT_TRUE(std::holds_alternative<Finished>(profile.outcome.ending)) << describe(profile.outcome);
  return profile.facts;
}

TEST(Profile, FactsAreMergedOverCalls) {
  Facts facts = facts_of(kProgram, kPlaces);
  EXPECT_EQ(facts.calls, 2);
  const NameFacts* x = facts.find_before("add", "x");
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(x->kind, "tensor");
  EXPECT_EQ(x->dtype, Dtype::kFloat32);
  EXPECT_EQ(x->shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(x->elements.at(5), 5.0);
  EXPECT_EQ(x->maximum, 5.0);
  const NameFacts* y = facts.find_before("add", "y");
  ASSERT_NE(y, nullptr);
  EXPECT_FALSE(y->storage.has_value()) << "shares storage with x in one call only";
  EXPECT_EQ(y->elements.count(0), 0u) << "0 in one call, 1 in the other";
  EXPECT_EQ(y->elements.at(1), 1.0);
  EXPECT_EQ(facts.find_before("add", "n")->literal, "1");
}

TEST(Profile, VisitsBranchesAndGlobals) {
  Facts facts = facts_of(kProgram, kPlaces);
  EXPECT_EQ(facts.visits.at("body"), 4);
  EXPECT_EQ(facts.visits.at("loop"), 2);
  EXPECT_EQ(facts.visits.count("dead"), 0u);
  EXPECT_EQ(facts.find_before("add", "z"), nullptr);
  EXPECT_NE(facts.find_after("add", "z"), nullptr);
  EXPECT_EQ(facts.find_before("body", "SCALE")->literal, "3");
  EXPECT_FALSE(facts.find_before("body", "i")->literal.has_value());
  EXPECT_EQ(facts.find_before("end", "items")->length, 2);
  EXPECT_EQ(facts.find_before("end", "items[0]")->storage, facts.find_before("end", "z")->storage);
  EXPECT_EQ(facts.find_before("end", "items[1]['k']")->kind, "tensor");
  EXPECT_EQ(facts.after.count("end"), 0u);
}

TEST(Profile, ValuesAreThoseOfAPlainRun) {
  Runner::Profile profile = shared_runner().profile(program_of(kProgram), kPlaces);
  Outcome plain = run_one(kProgram, eager());
  EXPECT_EQ(std::get<Finished>(profile.outcome.ending).observation, std::get<Finished>(plain.ending).observation);
}

TEST(Profile, ALongLoopEnds) {
  Facts facts = facts_of("def program():\n    n = 0\n    while n < 100000:\n        n += 1\n    return n\n",
                         {{"step", 4, 8, 4, 14}});
  EXPECT_EQ(facts.visits.at("step"), 100000);
  EXPECT_TRUE(facts.before.at("step").empty());
}

}  // namespace
}  // namespace jp::pyrunner::test
