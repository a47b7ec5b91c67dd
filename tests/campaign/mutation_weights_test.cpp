// Weights of mutations: what earns more is drawn more, nothing starves, and old discoveries stop counting.
#include "campaign/feedback/mutation_weights.h"

#include <gtest/gtest.h>

namespace jp::campaign {
namespace {

std::uint32_t weight(const MutationWeights& mutation_weights, const std::string& name, std::string_view previous = "",
                     const mutate::Weights& allowed = {}) {
  return mutation_weights.weights(allowed, previous).at(name);
}

TEST(MutationWeights, AllAreEvenAtFirst) {
  const MutationWeights mutation_weights;
  const auto even = [](const std::string& name) { return name == "break_rule" ? 0 : kEven; };
  for (const auto& [name, share] : mutation_weights.weights({}, "")) EXPECT_EQ(share, even(name)) << name;
  MutationWeights vain;
  for (int i = 0; i < 100; ++i) vain.add({"true_block", "history"}, 0, 0);
  for (const auto& [name, share] : vain.weights({}, "history")) EXPECT_EQ(share, even(name)) << name;
}

TEST(MutationWeights, WhatEarnsIsDrawnMoreAndNothingStarves) {
  MutationWeights mutation_weights;
  for (int i = 0; i < 2000; ++i) {
    mutation_weights.add({"true_block"}, i % 20 == 0, 0);
    mutation_weights.add({"alias_write"}, 0, i % 20 == 0);
    mutation_weights.add({"history"}, 0, 0);
  }
  EXPECT_GT(weight(mutation_weights, "true_block"), 2 * kEven);
  EXPECT_LT(weight(mutation_weights, "alias_write"), kEven) << "a finding is worth eight buckets";
  EXPECT_GT(weight(mutation_weights, "alias_write"), weight(mutation_weights, "history"));
  EXPECT_EQ(weight(mutation_weights, "history"), kFloor);
  EXPECT_EQ(weight(mutation_weights, "mutate_recover"), kEven) << "never tried";
  for (int i = 0; i < 100000; ++i) mutation_weights.add({"history"}, 0, 0);
  EXPECT_EQ(weight(mutation_weights, "true_block"), kCeiling);
}

TEST(MutationWeights, FewTestsSayLittle) {
  MutationWeights mutation_weights;
  for (int i = 0; i < 1000; ++i) mutation_weights.add({"history"}, 0, i % 10 == 0);
  mutation_weights.add({"true_block"}, 0, 1);
  EXPECT_GT(weight(mutation_weights, "true_block"), kEven);
  EXPECT_LT(weight(mutation_weights, "true_block"), 2 * kEven);
}

TEST(MutationWeights, PairsInSequence) {
  MutationWeights mutation_weights;
  for (int i = 0; i < 500; ++i) {
    mutation_weights.add({"true_block", "alias_write"}, i % 5 == 0, 0);
    mutation_weights.add({"alias_write", "true_block"}, 0, 0);
  }
  EXPECT_GT(weight(mutation_weights, "alias_write", "true_block"), weight(mutation_weights, "alias_write"));
  EXPECT_LT(weight(mutation_weights, "true_block", "alias_write"), weight(mutation_weights, "true_block"));
  EXPECT_EQ(weight(mutation_weights, "history", "true_block"), weight(mutation_weights, "history"));
}

TEST(MutationWeights, AStepTwiceInAProgramCountsOnce) {
  MutationWeights once;
  MutationWeights twice;
  once.add({"true_block", "history"}, 1, 0);
  twice.add({"true_block", "true_block", "true_block", "history"}, 1, 0);
  EXPECT_EQ(weight(once, "true_block"), weight(twice, "true_block"));
}

TEST(MutationWeights, FadesAndKeepsWhatIsNotAllowedOut) {
  MutationWeights mutation_weights;
  for (int i = 0; i < 300; ++i) {
    mutation_weights.add({"true_block"}, i % 10 == 0, 0);
    mutation_weights.add({"history"}, 0, i % 30 == 0);
  }
  const std::uint32_t fresh = weight(mutation_weights, "true_block");
  for (int epoch = 0; epoch < 40; ++epoch) {
    for (int i = 0; i < 50; ++i) mutation_weights.add({"history"}, 0, i == 0);
    for (int i = 0; i < 50; ++i) mutation_weights.add({"true_block"}, 0, i == 0);
    mutation_weights.fade();
  }
  EXPECT_LT(weight(mutation_weights, "true_block"), fresh);
  EXPECT_NEAR(weight(mutation_weights, "true_block"), kEven, 4);
  EXPECT_EQ(weight(mutation_weights, "true_block", "", {{"true_block", 0}}), 0u);
  EXPECT_EQ(weight(mutation_weights, "history", "true_block", {{"history", 3}}) % 3, 0u);
}

TEST(MutationWeights, HoldsTheLargestCampaign) {
  MutationWeights mutation_weights;
  for (int i = 0; i < 200000; ++i) mutation_weights.add({"true_block", "history", "alias_write"}, 1, 20);
  EXPECT_EQ(weight(mutation_weights, "true_block"), kEven);
}

}  // namespace
}  // namespace jp::campaign
