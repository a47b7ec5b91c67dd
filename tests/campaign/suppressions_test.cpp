// Suppressions: features, tables by epoch, weights, their files.
#include "campaign/feedback/suppressions.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "codec/codec.h"
#include "core/files.h"
#include "report/evidence.h"
#include "report/store.h"
#include "seedgen/generate.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::Folder;
using report::test::program_of;

const std::string kReduced =
    "import torch\n\n\ndef make_inputs():\n    return (torch.rand(2),)\n\n\n"
    "def program(x):\n    x.unfold(0, 1, 2).zero_()\n";

TEST(Features, OperatorsSyntaxAndMutationsWithoutInputs) {
  EXPECT_EQ(features_of(program_of(kReduced)), (Features{"op:unfold", "op:zero_"}));
  Lineage lineage;
  lineage.steps = {{0, "alias_write", {}, {}}};
  const Program program =
      Program::make(
          "import torch\n\n\ndef program(x):\n    try:\n        y = [i for i in x]\n    except ValueError:\n"
          "        y = lambda: 1\n    return y\n",
          lineage)
          .value();
  EXPECT_EQ(features_of(program),
            (Features{"mutation:alias_write", "syntax:lambda", "syntax:list_comprehension", "syntax:try_statement"}));
}

TEST(Features, TooManyBlameNothing) {
  EXPECT_EQ(trigger_of(program_of(kReduced), {"history"}), (Features{"mutation:history", "op:unfold", "op:zero_"}));
  EXPECT_TRUE(
      trigger_of(program_of("def program(x):\n    return x.a(x.b(), x.c(), x.d(), x.e(), x.f())\n"), {}).empty());
}

TEST(Features, WhatOnlyMakesTensorsIsNotToBlame) {
  EXPECT_EQ(trigger_of(program_of("def program(x):\n    return torch.ones(2).div(x)\n"), {}), (Features{"op:div"}));
  EXPECT_EQ(trigger_of(program_of("def program(x):\n    return torch.ones(2)\n"), {}), (Features{"op:ones"}));
}

const std::vector<Trigger> kTriggers = {{{"op:unfold", "op:zero_"}, 0}, {{"op:relu"}, 3}};

TEST(Suppressions, ComeTwoEpochsLaterAndRecoverSlowly) {
  EXPECT_TRUE(suppressions_of(kTriggers, 1).empty());
  const Suppressions first = suppressions_of(kTriggers, 2);
  EXPECT_EQ(first, (Suppressions{{{"op:unfold", "op:zero_"}, kNewWeight}}));
  EXPECT_TRUE(suppressions_of(kTriggers, 5).contains({"op:relu", "op:relu"}));
  EXPECT_TRUE(suppressions_of(kTriggers, 3, {}, 4).empty()) << "they lag behind by more";
  EXPECT_EQ(suppressions_of(kTriggers, 4, {}, 4), first) << "and are the same then";
  std::uint32_t last = kNewWeight;
  std::uint64_t epoch = 3;
  for (; !suppressions_of({kTriggers[0]}, epoch).empty(); ++epoch) {
    const std::uint32_t weight = suppressions_of({kTriggers[0]}, epoch).begin()->second;
    EXPECT_GT(weight, last);
    last = weight;
    ASSERT_LT(epoch, 1000u);
  }
  EXPECT_GT(epoch, 50u) << "slowly";
  EXPECT_LT(epoch, 150u) << "but it does";
}

TEST(Suppressions, OfWhatWasKnownBeforeHoldFromTheFirstTestOn) {
  const std::vector<Features> known = {{"op:relu"}};
  EXPECT_EQ(suppressions_of({}, 0, known), (Suppressions{{{"op:relu", "op:relu"}, kNewWeight}}));
  const std::uint32_t later = suppressions_of({}, 5, known).begin()->second;
  EXPECT_GT(later, kNewWeight);
  EXPECT_EQ(suppressions_of(kTriggers, 5, known), suppressions_of(kTriggers, 5)) << "found again, it is new again";
  EXPECT_EQ(suppressions_of(kTriggers, 2, known).size(), 2U);
}

TEST(Suppressions, TheLowestWeightOfAPairHolds) {
  const std::vector<Trigger> twice = {{{"a", "b"}, 0}, {{"a", "b", "c"}, 10}};
  const Suppressions suppressions = suppressions_of(twice, 12);
  EXPECT_EQ(suppressions.size(), 3u);
  EXPECT_EQ(suppressions.at({"a", "b"}), kNewWeight);
}

TEST(Suppressions, WeightsMultiplyAndNeverVanish) {
  const Suppressions suppressions = {{{"a", "b"}, 512}, {{"c", "c"}, 256}, {{"d", "e"}, 64}};
  EXPECT_EQ(weight_of(suppressions, {"a"}), kFullWeight);
  EXPECT_EQ(weight_of(suppressions, {"a", "b"}), 512u);
  EXPECT_EQ(weight_of(suppressions, {"a", "b", "c"}), 128u);
  EXPECT_EQ(weight_of(suppressions, {"a", "b", "c"}, {"a", "b"}), 256u) << "weighed before";
  EXPECT_EQ(weight_of(suppressions, {"a", "b", "c", "d", "e"}), 8u);
  EXPECT_EQ(weight_of({{{"a", "a"}, 1}, {{"b", "b"}, 1}}, {"a", "b"}), 1u);
}

// Few enough that the five easy ones are in nine of ten programs, however many operators there are in all.
seedgen::GenerateOptions crowded() {
  seedgen::GenerateOptions options{.operators = 60};
  options.only = {"pad",  "div",   "cumprod",   "atan",    "logsigmoid", "hypot",   "lerp",   "erfc",  "relu",
                  "tanh", "sin",   "cos",       "exp",     "log",        "sqrt",    "neg",    "abs",   "add",
                  "sub",  "mul",   "maximum",   "minimum", "sum",        "mean",    "amax",   "amin",  "prod",
                  "cat",  "stack", "cumsum",    "softmax", "reshape",    "flatten", "clamp",  "floor", "ceil",
                  "flip", "roll",  "transpose", "permute", "unsqueeze",  "squeeze", "round",  "sign",  "square",
                  "tril", "triu",  "eq",        "lt",      "where",      "sigmoid", "expand", "ge",    "reciprocal"};
  return options;
}

// Five faults that show whenever an operator is called, and one that needs three operators. The rare one is found in a
// program that shows none of the easy ones; suppressions start two epochs after the first tests, as in a campaign.
std::uint64_t tests_until_seen(std::uint64_t seed, bool suppressed) {
  const Features easy = {"op:pad", "op:div", "op:cumprod", "op:atan", "op:logsigmoid"};
  constexpr std::uint64_t kEpoch = 25;
  std::vector<Trigger> triggers;
  for (const std::string& name : easy) triggers.push_back({{name}, 0});
  std::int64_t refused = 0;
  const seedgen::GenerateOptions options = crowded();
  for (std::uint64_t number = 0;; ++number) {
    const Choices choices = Choices(seed).fork("test", number);
    const auto draw = [&](std::uint64_t i) {
      return seedgen::generate(choices.fork("seed", i).below(std::uint64_t{1} << 62), options).value();
    };
    const Program program = draw_unsuppressed(suppressed ? suppressions_of(triggers, number / kEpoch) : Suppressions{},
                                              choices, draw, refused);
    const Features features = features_of(program);
    const bool rare = features.contains("op:hypot") && features.contains("op:lerp") && features.contains("op:erfc");
    if (rare && std::none_of(easy.begin(), easy.end(), [&](const auto& name) { return features.contains(name); }))
      return number + 1;
  }
}

// It is found some twenty times sooner: a few seeds are enough.
TEST(Suppressions, ARareFaultBesideFiveEasyOnesIsSeenThreeTimesSooner) {
  std::uint64_t with = 0;
  std::uint64_t without = 0;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    with += tests_until_seen(seed, true);
    without += tests_until_seen(seed, false);
  }
  EXPECT_LE(3 * with, without) << with << " tests with masks, " << without << " without";
  RecordProperty("with", static_cast<int>(with));
  RecordProperty("without", static_cast<int>(without));
}

TEST(Suppressions, AreKept) {
  Folder folder;
  EXPECT_TRUE(load_suppressions(folder.path()).value().empty());
  const std::map<std::uint64_t, Suppressions> tables = {{2, {}}, {10, suppressions_of(kTriggers, 10)}};
  ASSERT_TRUE(keep_suppressions(folder.path(), tables).ok());
  EXPECT_EQ(load_suppressions(folder.path()).value(), tables);
}

TEST(Suppressions, TriggersOfWhatWasKnownAreKept) {
  Folder folder;
  EXPECT_FALSE(load_known_triggers(folder.path()).value());
  ASSERT_TRUE(keep_known_triggers(folder.path(), {{"op:unfold", "op:zero_"}, {"op:relu"}}).ok());
  EXPECT_EQ(load_known_triggers(folder.path()).value(),
            (std::vector<Features>{{"op:unfold", "op:zero_"}, {"op:relu"}}));
  ASSERT_TRUE(write_file(folder / "known_triggers.json", "{}").ok());
  EXPECT_FALSE(load_known_triggers(folder.path()).ok());
}

TEST(Suppressions, TriggersAreTheReducedFormsOfConfirmedFindings) {
  Folder folder;
  auto store = report::Store::create(folder.path(), {}).value();
  Finding finding = report::test::finding_of(kReduced, "aot_eager", Mismatch::kValue, "output");
  ASSERT_TRUE(store->add_finding(finding, 1234).ok());
  EXPECT_TRUE(triggers_of(folder.path(), Epochs(500)).value().empty()) << "not reduced";
  ASSERT_TRUE(report::keep_reduced(folder.path(), finding.signature.id(), finding.program, {"history"}).ok());
  const std::vector<Trigger> triggers = triggers_of(folder.path(), Epochs(500)).value();
  ASSERT_EQ(triggers.size(), 1u);
  EXPECT_EQ(triggers[0].epoch, 5u) << "the fourth epoch is the first whole one: 500 to 999";
  EXPECT_EQ(triggers[0].features, (Features{"mutation:history", "op:unfold", "op:zero_"}));
}

TEST(Suppressions, TriggersAreOfTheTestsThatShowedThem) {
  Folder folder;
  auto store = report::Store::create(folder.path(), {}).value();
  const Finding finding = report::test::finding_of(kReduced, "aot_eager", Mismatch::kValue, "output");
  const std::string id = finding.signature.id();
  ASSERT_TRUE(store->add_finding(finding, 10).ok());
  ASSERT_TRUE(report::keep_reduced(folder.path(), id, finding.program, {}, 10).ok());
  const report::ReducedProgram other{.program = program_of("def program(x):\n    return x.relu()\n"), .test = 700};
  ASSERT_TRUE(report::keep_also(folder.path(), id, other).ok());
  EXPECT_EQ(report::load_reduced_programs(folder.path(), id).back().test, 700U);
  const std::vector<Trigger> triggers = triggers_of(folder.path(), Epochs(500)).value();
  ASSERT_EQ(triggers.size(), 2u);
  EXPECT_EQ(triggers[0].epoch, 0u);
  EXPECT_EQ(triggers[1].epoch, 4u) << "another test's, though the finding is the first one's";
  EXPECT_EQ(triggers_of(folder.path(), Epochs(500), 700).value().size(), 1u) << "the second test is not below it";
}

}  // namespace
}  // namespace jp::campaign
