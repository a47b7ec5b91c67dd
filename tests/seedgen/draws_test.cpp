// What is drawn how often: sizes, operators, shapes within bounds; and that programs are distinct.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "seedgen/bases/members.h"
#include "seedgen/generate.h"

namespace jp::seedgen {
namespace {

TEST(Draws, CallsAreNamedByTheirOperator) {
  for (const Member& member : all_members())
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Choices choices(seed);
      Draft draft(choices, 0);
      member.family->draw(draft, member.index);
      ASSERT_EQ(draft.graph().calls.front().op, member.id);
    }
}

// Constants are drawn half as often as others; with so many programs random variation is smaller than the rest of the
// bound.
TEST(Draws, OperatorsComeEvenly) {
  std::vector<int> drawn(all_members().size());
  for (std::uint64_t seed = 0; seed < 20000; ++seed)
    for (const Call& call : generate_graph(seed, {}).calls) ++drawn[static_cast<std::size_t>(member_number(call.op))];
  const auto [least, most] = std::minmax_element(drawn.begin(), drawn.end());
  ASSERT_GT(*least, 0);
  EXPECT_LE(*most, 3 * *least) << all_members()[static_cast<std::size_t>(most - drawn.begin())].id << " " << *most
                               << " times, " << all_members()[static_cast<std::size_t>(least - drawn.begin())].id << " "
                               << *least << " times";
}

TEST(Draws, ArgumentsHaveTheDtypesThatAreAskedFor) {
  const GenerateOptions options{.bounds = {.dtypes = {Dtype::kFloat16}}, .only = {"add", "cat", "bitwise_and"}};
  int asked = 0;
  int others = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Graph graph = generate_graph(seed, options);
    for (const Input& input : graph.inputs)
      ++(graph.values[static_cast<std::size_t>(input.value)].dtype == Dtype::kFloat16 ? asked : others);
  }
  EXPECT_GT(others, 0) << "bitwise_and takes no float16";
  EXPECT_GT(asked, others / 2) << "two of the three operators do";
}

// Otherwise scaling random numbers in the dtype rounds past the interval.
TEST(Draws, EndsOfArgumentsAreNumbersOfTheirDtype) {
  auto holds = [](Dtype dtype, double end) {
    int exponent = 0;
    const double mantissa = std::frexp(end, &exponent) * 2 / epsilon(dtype);
    return std::trunc(mantissa) == mantissa;
  };
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const Graph graph = generate_graph(seed, {});
    for (const Input& input : graph.inputs) {
      const Dtype dtype = graph.values[static_cast<std::size_t>(input.value)].dtype;
      if (is_integral(dtype) || input.base >= 0) continue;
      EXPECT_TRUE(holds(dtype, input.interval.low) && holds(dtype, input.interval.high))
          << "seed " << seed << ", " << dtype_name(dtype) << ", " << input.interval.low << " to "
          << input.interval.high;
    }
  }
}

// Its gradient negates the first operand, which torch refuses for bools.
TEST(Draws, NothingRequiresGradientsBesideBoolsInAtan2) {
  const GenerateOptions options{.only = {"atan2"}};
  int beside_bools = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Graph graph = generate_graph(seed, options);
    for (const Call& call : graph.calls) {
      const std::vector<int> read = operands(call);
      auto operand = [&](int at) { return graph.values[static_cast<std::size_t>(read[static_cast<std::size_t>(at)])]; };
      if (operand(0).dtype != Dtype::kBool) continue;
      ++beside_bools;
      EXPECT_FALSE(operand(1).requires_grad) << "seed " << seed;
    }
  }
  EXPECT_GT(beside_bools, 20);
}

TEST(Draws, ProgramsAreDistinct) {
  std::set<std::string> hashes;
  for (std::uint64_t seed = 0; seed < 10000; ++seed) hashes.insert(generate(seed, {}).value().sha256());
  EXPECT_EQ(hashes.size(), 10000u);
}

TEST(Draws, SizesComeEvenlyAndAreKept) {
  const GenerateOptions options{.operators = 1, .most_operators = 10};
  std::map<int, int> drawn;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Program program = generate(seed, options).value();
    const int operators = program.lineage().seed.operators;
    ++drawn[operators];
    if (seed >= 100) continue;
    EXPECT_EQ(generate_graph(seed, options).calls.size(), static_cast<std::size_t>(operators));
    EXPECT_EQ(regenerate(program.lineage().seed).value().source(), program.source());
  }
  ASSERT_EQ(drawn.size(), 10u);
  for (const auto& [operators, times] : drawn) {
    EXPECT_GE(operators, 1);
    EXPECT_LE(operators, 10);
    EXPECT_NEAR(times, 200, 70) << operators;
  }
}

TEST(Draws, BoundsHoldForWhatOperatorsRead) {
  const GenerateOptions options{.bounds = {.max_rank = 3, .min_size = 1, .max_size = 4},
                                .only = {"relu", "add", "cat", "sum", "transpose"}};
  std::map<int, int> ranks;
  std::map<std::int64_t, int> sizes;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Graph graph = generate_graph(seed, options);
    for (const Call& call : graph.calls) {
      EXPECT_TRUE(std::find(options.only.begin(), options.only.end(), call.op) != options.only.end()) << call.op;
      for (int operand : operands(call)) {
        // A value that a call writes its result into has the shape of the result.
        if (call.out && operand == call.written) continue;
        const Shape& shape = graph.values[static_cast<std::size_t>(operand)].shape;
        ++ranks[shape.size()];
        for (std::int64_t size : shape) ++sizes[size];
      }
    }
  }
  EXPECT_EQ(ranks.size(), 4u) << "0 to 3";
  EXPECT_EQ(ranks.rbegin()->first, 3);
  EXPECT_EQ(sizes.begin()->first, 1);
  EXPECT_EQ(sizes.rbegin()->first, 4);
}

TEST(Draws, WithinBoundsWhatGrowsIsStillRead) {
  const GenerateOptions options{.bounds = {.max_rank = 3, .min_size = 1, .max_size = 4},
                                .only = {"relu", "cat", "pad", "reshape", "index_select"}};
  // By operator: results within the bounds, and all. Without considering the remaining room, cat gave 185 of 1,202.
  std::map<std::string_view, std::pair<int, int>> held;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Graph graph = generate_graph(seed, options);
    for (const Call& call : graph.calls) {
      auto& [within, all] = held[call.op];
      within += options.bounds.hold(graph.values[static_cast<std::size_t>(call.outputs[0])].shape) ? 1 : 0;
      ++all;
    }
  }
  for (const auto& [op, results] : held)
    EXPECT_GT(results.first, 0.3 * results.second) << op << " " << results.first << " of " << results.second;
}

TEST(Draws, RefusesWhatItCanNotDraw) {
  EXPECT_FALSE(generate(1, {.operators = 5, .most_operators = 4}).ok());
  EXPECT_FALSE(generate(1, {.operators = 5, .most_operators = kMaxOperators + 1}).ok());
  EXPECT_FALSE(generate(1, {.bounds = {.max_rank = 9}}).ok());
  EXPECT_FALSE(generate(1, {.bounds = {.min_size = 3, .max_size = 2}}).ok());
  EXPECT_FALSE(generate(1, {.only = {"relu", "no_such_operator"}}).ok());
}

}  // namespace
}  // namespace jp::seedgen
