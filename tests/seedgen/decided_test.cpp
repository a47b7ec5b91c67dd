// Discontinuous operators read inexact values only where rounding can't decide their results.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/bases/unary.h"
#include "seedgen/generate.h"

namespace jp::seedgen {
namespace {

Value within(Interval interval, Dtype dtype = Dtype::kFloat32) { return fresh(dtype, {2}, interval); }

TEST(Decided, ByAMarginOfSixBits) {
  EXPECT_TRUE(clear_of_integers(within({1.1, 1.9})));
  EXPECT_FALSE(clear_of_integers(within({1, 1.9})));
  EXPECT_FALSE(clear_of_integers(within({1.01, 1.9})));
  EXPECT_FALSE(clear_of_integers(within({100.1, 100.9}))) << "the margin grows with the elements";
  EXPECT_TRUE(clear_of_halves(within({-0.4, 0.4})));
  EXPECT_FALSE(clear_of_halves(within({-0.4, 0.499})));
  EXPECT_TRUE(clear_of_zero(within({-9, -0.5})));
  EXPECT_FALSE(clear_of_zero(within({0.01, 0.5})));
  EXPECT_FALSE(clear_of_zero(within({1, 2}, Dtype::kComplex64)));
  EXPECT_TRUE(clear_of({0, 1}, {1.1, 2}));
  EXPECT_FALSE(clear_of({0, 1}, {1, 2}));
  for (bool above : {false, true}) {
    const Interval room = room_beside({-40, 60}, above);
    const double nearest = above ? room.low : room.high;
    EXPECT_TRUE(clear_of({-40, 60}, {nearest, nearest}));
  }
}

// The least distance from x at which a discontinuous function steps, or that of two operands.
double distance_of(std::string_view op, const std::vector<Interval>& read) {
  const Interval x = read.front();
  if (op == "floor" || op == "ceil" || op == "trunc")
    return std::min(x.low - std::floor(x.low), std::ceil(x.high) - x.high) - (std::floor(x.high) - std::floor(x.low));
  if (op == "round") return std::min(x.low - std::round(x.low), std::round(x.low) - x.high) + 0.5;
  double least = 1e300;
  const bool compares = op != "sign" && !op.starts_with("logical");
  if (compares) return std::max(read[1].low - x.high, x.low - read[1].high);
  for (Interval one : read) least = std::min(least, std::max(one.low, -one.high));
  return least;
}

constexpr std::array<std::string_view, 14> kDiscontinuous = {"floor", "ceil",        "trunc",      "round",      "sign",
                                                             "lt",    "le",          "gt",         "ge",         "eq",
                                                             "ne",    "logical_and", "logical_or", "logical_not"};

TEST(Decided, NeverNearAStep) {
  GenerateOptions options{.operators = 30, .only = {"sin", "cos", "exp", "tanh", "sigmoid", "add", "mul", "softmax"}};
  for (std::string_view op : kDiscontinuous) options.only.emplace_back(op);
  std::array<int, kDiscontinuous.size()> inexact{};
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const Graph graph = generate_graph(seed, options);
    // A write would have widened what the call read before it.
    if (std::any_of(graph.calls.begin(), graph.calls.end(), [](const Call& call) { return call.written >= 0; }))
      continue;
    for (const Call& call : graph.calls) {
      const auto at = std::find(kDiscontinuous.begin(), kDiscontinuous.end(), call.op);
      if (at == kDiscontinuous.end()) continue;
      std::vector<Interval> read;
      bool exact = true;
      for (int id : operands(call)) {
        const Value& value = graph.values[static_cast<std::size_t>(id)];
        read.push_back(value.interval);
        if (call.op.starts_with("logical") && value.exact) read.pop_back();
        exact = exact && value.exact;
      }
      if (exact) continue;
      ++inexact[static_cast<std::size_t>(at - kDiscontinuous.begin())];
      EXPECT_GT(distance_of(call.op, read), 1.0 / 64) << call.op << ", seed " << seed;
      EXPECT_TRUE(graph.values[static_cast<std::size_t>(call.outputs.front())].exact) << call.op << ", seed " << seed;
    }
  }
  for (std::size_t i = 0; i < inexact.size(); ++i) EXPECT_GT(inexact[i], 20) << kDiscontinuous[i];
}

TEST(Decided, ImagesOfWaves) {
  for (double low = -9; low < 9; low += 0.25)
    for (double width : {0.0, 0.125, 1.0, 2.5, 4.0, 7.0}) {
      const Interval x = {low, low + width};
      Interval sines = {1, -1};
      Interval cosines = {1, -1};
      for (int i = 0; i <= 1000; ++i) {
        const double at = x.low + width * i / 1000;
        sines = {std::min(sines.low, std::sin(at)), std::max(sines.high, std::sin(at))};
        cosines = {std::min(cosines.low, std::cos(at)), std::max(cosines.high, std::cos(at))};
      }
      for (const auto& [image, sampled] : {std::pair(sine_image(x), sines), std::pair(cosine_image(x), cosines)}) {
        EXPECT_TRUE(inside(sampled, image)) << x.low << " to " << x.high;
        EXPECT_NEAR(sampled.low, image.low, 1e-4) << x.low << " to " << x.high;
        EXPECT_NEAR(sampled.high, image.high, 1e-4) << x.low << " to " << x.high;
      }
    }
}

}  // namespace
}  // namespace jp::seedgen
