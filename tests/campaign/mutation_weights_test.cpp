// Shares of mutations: what earns more is drawn more, nothing starves, and what has been found stops to count.
#include "campaign/feedback/mutation_weights.h"

#include <gtest/gtest.h>

namespace jp::campaign {
namespace {

std::uint32_t weight(const MutationWeights& credit, const std::string& name, std::string_view previous = "",
                     const mutate::Weights& allowed = {}) {
  return credit.weights(allowed, previous).at(name);
}

TEST(MutationWeights, AllAreEvenAtFirst) {
  const MutationWeights credit;
  const auto even = [](const std::string& name) { return name == "break_rule" ? 0 : kEven; };
  for (const auto& [name, share] : credit.weights({}, "")) EXPECT_EQ(share, even(name)) << name;
  MutationWeights vain;
  for (int i = 0; i < 100; ++i) vain.add({"true_block", "history"}, 0, 0);
  for (const auto& [name, share] : vain.weights({}, "history")) EXPECT_EQ(share, even(name)) << name;
}

TEST(MutationWeights, WhatEarnsIsDrawnMoreAndNothingStarves) {
  MutationWeights credit;
  for (int i = 0; i < 2000; ++i) {
    credit.add({"true_block"}, i % 20 == 0, 0);
    credit.add({"alias_write"}, 0, i % 20 == 0);
    credit.add({"history"}, 0, 0);
  }
  EXPECT_GT(weight(credit, "true_block"), 2 * kEven);
  EXPECT_LT(weight(credit, "alias_write"), kEven) << "a finding is worth eight buckets";
  EXPECT_GT(weight(credit, "alias_write"), weight(credit, "history"));
  EXPECT_EQ(weight(credit, "history"), kFloor);
  EXPECT_EQ(weight(credit, "mutate_recover"), kEven) << "never tried";
  for (int i = 0; i < 100000; ++i) credit.add({"history"}, 0, 0);
  EXPECT_EQ(weight(credit, "true_block"), kCeiling);
}

TEST(MutationWeights, FewTestsSayLittle) {
  MutationWeights credit;
  for (int i = 0; i < 1000; ++i) credit.add({"history"}, 0, i % 10 == 0);
  credit.add({"true_block"}, 0, 1);
  EXPECT_GT(weight(credit, "true_block"), kEven);
  EXPECT_LT(weight(credit, "true_block"), 2 * kEven);
}

TEST(MutationWeights, PairsInSequence) {
  MutationWeights credit;
  for (int i = 0; i < 500; ++i) {
    credit.add({"true_block", "alias_write"}, i % 5 == 0, 0);
    credit.add({"alias_write", "true_block"}, 0, 0);
  }
  EXPECT_GT(weight(credit, "alias_write", "true_block"), weight(credit, "alias_write"));
  EXPECT_LT(weight(credit, "true_block", "alias_write"), weight(credit, "true_block"));
  EXPECT_EQ(weight(credit, "history", "true_block"), weight(credit, "history"));
}

TEST(MutationWeights, AStepTwiceInAProgramCountsOnce) {
  MutationWeights once;
  MutationWeights twice;
  once.add({"true_block", "history"}, 1, 0);
  twice.add({"true_block", "true_block", "true_block", "history"}, 1, 0);
  EXPECT_EQ(weight(once, "true_block"), weight(twice, "true_block"));
}

TEST(MutationWeights, FadesAndKeepsWhatIsNotAllowedOut) {
  MutationWeights credit;
  for (int i = 0; i < 300; ++i) {
    credit.add({"true_block"}, i % 10 == 0, 0);
    credit.add({"history"}, 0, i % 30 == 0);
  }
  const std::uint32_t fresh = weight(credit, "true_block");
  for (int epoch = 0; epoch < 40; ++epoch) {
    for (int i = 0; i < 50; ++i) credit.add({"history"}, 0, i == 0);
    for (int i = 0; i < 50; ++i) credit.add({"true_block"}, 0, i == 0);
    credit.fade();
  }
  EXPECT_LT(weight(credit, "true_block"), fresh);
  EXPECT_NEAR(weight(credit, "true_block"), kEven, 4);
  EXPECT_EQ(weight(credit, "true_block", "", {{"true_block", 0}}), 0u);
  EXPECT_EQ(weight(credit, "history", "true_block", {{"history", 3}}) % 3, 0u);
}

TEST(MutationWeights, HoldsTheLargestCampaign) {
  MutationWeights credit;
  for (int i = 0; i < 200000; ++i) credit.add({"true_block", "history", "alias_write"}, 1, 20);
  EXPECT_EQ(weight(credit, "true_block"), kEven);
}

}  // namespace
}  // namespace jp::campaign
