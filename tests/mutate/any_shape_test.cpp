// Zeros for a tensor of several shapes: whatever bound is drawn, all elements at all visits lie beyond it.
#include "mutate/material/any_shape.h"

#include <cmath>
#include <regex>

#include "helpers.h"
#include "mutate/facts/live.h"

namespace jp::mutate {
namespace {

// A tensor of two visits, 2 x 3 and 4 x 3, with elements between these ends.
NameFacts at_two_visits(Dtype dtype, double lowest, double highest) {
  NameFacts facts = testing::tensor_facts({2, 3}, 0);
  facts.dtype = dtype;
  facts.shape.reset();
  facts.strides.reset();
  facts.elements = {};
  facts.minimum.reset();
  facts.maximum.reset();
  facts.sum.reset();
  facts.least_shape = {2, 3};
  facts.row_major = true;
  facts.lowest = lowest;
  facts.highest = highest;
  return facts;
}

// The bound of a zero in the text, and whether it is above the elements; none if the zero is one of the rank.
std::optional<std::pair<double, bool>> bound_in(const std::string& text) {
  static const std::regex above(R"([(]v - (-?\d+)[)]|relu[(]v - (-?\d+)[)])");
  static const std::regex below(R"([(](-?\d+) - v[)]|relu[(](-?\d+) - v[)])");
  std::smatch found;
  const auto number = [&] { return std::stod(found[1].matched ? found[1] : found[2]); };
  if (std::regex_search(text, found, above)) return std::pair{number(), true};
  if (std::regex_search(text, found, below)) return std::pair{number(), false};
  return std::nullopt;
}

// To the nearest of eight bits, as bfloat16 rounds.
double to_bfloat16(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);
}

TEST(AnyShape, EveryElementLiesBeyondTheBoundInItsDtypeToo) {
  for (const auto& [lowest, highest] : {std::pair{-1.0, 0.25}, {0.0, 0.0}, {3.5, 7000.0}, {-9999.0, 9999.0}}) {
    const NameFacts facts = at_two_visits(Dtype::kBFloat16, lowest, highest);
    ASSERT_TRUE(has_any_shape(facts));
    int bounds = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      Choices choices(seed);
      const std::string text = product_here("torch", {"v", &facts}, choices).text;
      const auto bound = bound_in(text);
      if (!bound) {
        EXPECT_TRUE(text.find("dim()") != std::string::npos || text.find("len(v.shape)") != std::string::npos) << text;
        continue;
      }
      ++bounds;
      for (const double element : {lowest, highest}) {
        const double distance = bound->second ? element - bound->first : bound->first - element;
        EXPECT_LT(to_bfloat16(distance), 0) << text;
        EXPECT_LE(distance, -0.25 * std::max(std::abs(lowest), std::abs(highest)) - 1) << text;
      }
    }
    EXPECT_GT(bounds, 120) << lowest << " to " << highest;
  }
}

TEST(AnyShape, WhatMayBeEmptyOrOverlapsOrIsTooLargeIsLeftAlone) {
  EXPECT_TRUE(has_any_shape(at_two_visits(Dtype::kFloat32, -1, 1)));
  EXPECT_FALSE(has_any_shape(at_two_visits(Dtype::kFloat16, -1, 1)));
  EXPECT_FALSE(has_any_shape(at_two_visits(Dtype::kFloat32, -1, 20'000)));
  NameFacts facts = at_two_visits(Dtype::kFloat32, -1, 1);
  facts.least_shape = {0, 3};
  EXPECT_FALSE(has_any_shape(facts));
  facts = at_two_visits(Dtype::kFloat32, -1, 1);
  facts.overlaps_itself = true;
  EXPECT_FALSE(has_any_shape(facts));
  facts.overlaps_itself = false;
  facts.row_major = false;
  EXPECT_FALSE(has_any_shape(facts));
}

}  // namespace
}  // namespace jp::mutate
