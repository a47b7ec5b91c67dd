// The eleven metrics on graphs that are small enough to count by hand.
#include "seedgen/measure/metrics.h"

#include <gtest/gtest.h>

#include "core/operators.h"
#include "seedgen/generate.h"

namespace jp::seedgen {
namespace {

// A hand-made graph: one argument of shape (2, 3), then calls.
class Build {
 public:
  Build() { value({2, 3}); }

  /// A call that reads values and returns one of that shape.
  Build& call(std::string_view op, const std::vector<int>& reads, const Shape& shape = {2, 3},
              const std::vector<Argument>& attributes = {}) {
    Call made;
    made.op = op;
    for (int read : reads) made.arguments.emplace_back(Ref{read});
    for (const Argument& attribute : attributes) made.arguments.push_back(attribute);
    made.outputs = {value(shape)};
    graph_.calls.push_back(made);
    return *this;
  }
  const Graph& graph() const { return graph_; }

 private:
  int value(const Shape& shape) {
    GraphValue made;
    made.id = static_cast<int>(graph_.values.size());
    made.shape = shape;
    graph_.values.push_back(made);
    return made.id;
  }

  Graph graph_;
};

constexpr std::uint32_t kFloat = 1;
constexpr std::uint32_t kBool = 2;

OperatorProfile profile(std::uint64_t in_degrees, std::uint32_t takes = kFloat, std::uint32_t gives = kFloat) {
  OperatorProfile made{in_degrees, takes, gives, {}};
  for (unsigned kind = 0; kind < made.through.size(); ++kind)
    if ((takes >> kind & 1U) != 0) made.through[kind] = gives;
  return made;
}

// v0 -> a -> v1; add(v1, v0) -> v2; a(v2) -> v3; sum(v2) -> v4.
Graph small() {
  return Build().call("a", {0}).call("add", {1, 0}).call("a", {2}).call("sum", {2}, {3}, {std::int64_t{0}}).graph();
}

TEST(Metrics, OfOneGraphByHand) {
  MetricsCounter counter({"a", "add", "sum"}, {profile(1 << 1), profile(1 << 2), profile(1 << 1)});
  counter.add(small());
  const Metrics metrics = counter.result();
  EXPECT_EQ(metrics.graphs, 1u);
  EXPECT_DOUBLE_EQ(metrics.noo, 4);
  EXPECT_DOUBLE_EQ(metrics.types, 3);
  EXPECT_DOUBLE_EQ(metrics.nop, 3) << "a>add, add>a, add>sum";
  EXPECT_DOUBLE_EQ(metrics.ntr, 2) << "a>add>a, a>add>sum";
  EXPECT_DOUBLE_EQ(metrics.nsa, 3) << "((2,3)), ((2,3), (2,3)), ((2,3), 0)";
  EXPECT_DOUBLE_EQ(metrics.otc, 1);
  EXPECT_DOUBLE_EQ(metrics.idc, 1);
  EXPECT_DOUBLE_EQ(metrics.odc, (2 + 1 + 1) / 3.0) << "a: 1 and 0; add: 2; sum: 0";
  EXPECT_DOUBLE_EQ(metrics.sec, (1 / 3.0 + 2 / 3.0 + 0) / 3) << "of three possible from each";
  EXPECT_DOUBLE_EQ(metrics.dec, (0 + 2 / 9.0 + 0) / 3) << "with add in the middle, of nine possible";
  EXPECT_DOUBLE_EQ(metrics.sac, 1);
}

TEST(Metrics, GraphsAreAveragedAndTypesSummedUp) {
  MetricsCounter counter({"a", "add", "never"}, {profile(1 << 1), profile(1 << 2 | 1 << 1), profile(1 << 1)});
  counter.add(Build().call("a", {0}).call("a", {1}, {6}).graph());
  counter.add(Build().call("add", {0, 0}).call("a", {1}).call("a", {1}).call("a", {1}, {2, 3}, {true}).graph());
  const Metrics metrics = counter.result();
  EXPECT_EQ(metrics.graphs, 2u);
  EXPECT_DOUBLE_EQ(metrics.noo, 3);
  EXPECT_DOUBLE_EQ(metrics.types, 1.5);
  EXPECT_DOUBLE_EQ(metrics.nop, 1) << "a>a; add>a";
  EXPECT_DOUBLE_EQ(metrics.ntr, 0) << "no two edges meet";
  EXPECT_DOUBLE_EQ(metrics.nsa, 2) << "((2,3)) alone; ((2,3), (2,3)), ((2,3)) and ((2,3), True)";
  EXPECT_DOUBLE_EQ(metrics.otc, 2 / 3.0);
  EXPECT_DOUBLE_EQ(metrics.idc, (1 + 0.5 + 0) / 3) << "add came with two inputs only";
  EXPECT_DOUBLE_EQ(metrics.odc, (2 + 1 + 0) / 3.0) << "a: 0 and 1; add: 3";
  EXPECT_DOUBLE_EQ(metrics.sec, (1 / 3.0 + 1 / 3.0 + 0) / 3);
  EXPECT_DOUBLE_EQ(metrics.dec, 0);
  EXPECT_DOUBLE_EQ(metrics.sac, (2 + 1 + 0) / 3.0);
}

TEST(Metrics, WhatIsPossibleFollowsTheDtypes) {
  // `less` gives bools, which `less` and `a` don't take.
  MetricsCounter counter({"a", "less", "not"}, {profile(2), profile(4, kFloat, kBool), profile(2, kBool, kBool)});
  counter.add(Build().call("a", {0}).call("less", {1, 1}).call("not", {2}).graph());
  const Metrics metrics = counter.result();
  EXPECT_DOUBLE_EQ(metrics.sec, (1 / 2.0 + 1 / 1.0 + 0) / 3) << "a>a, a>less; less>not; not>not";
  EXPECT_DOUBLE_EQ(metrics.dec, (0 + 1 / 1.0 + 0) / 3) << "a>less>not, the only one through less";
  EXPECT_DOUBLE_EQ(metrics.odc, 1) << "a value read twice is two edges, but the same number each time";
}

TEST(Metrics, PairsThatNoCallGivesAreNotPossible) {
  // `same` returns what it takes: results of `less` never reach `a` through it.
  OperatorProfile same = profile(2, kFloat | kBool, kFloat | kBool);
  same.through = {kFloat, kBool};
  MetricsCounter counter({"a", "less", "same"}, {profile(2), profile(4, kFloat, kBool), same});
  counter.add(Build().call("less", {0, 0}).call("same", {1}).call("same", {2}).graph());
  // Through `same`: a>same>a, a>same>less, a>same>same, less>same>same, same>same>a, >less and >same.
  // Through `a`: from a and same to all three. Through `less`: from a and same to same.
  EXPECT_DOUBLE_EQ(counter.result().dec, (0 + 0 + 1 / 7.0) / 3);
}

TEST(Metrics, WhatTheSetShowsIsPossible) {
  MetricsCounter counter({"a"}, {profile(0, 0, 0)});
  counter.add(Build().call("a", {0}).call("a", {1}).call("a", {2}).graph());
  EXPECT_DOUBLE_EQ(counter.result().sec, 1);
  EXPECT_DOUBLE_EQ(counter.result().dec, 1);
  EXPECT_DOUBLE_EQ(counter.result().idc, 1);
}

TEST(Metrics, SpellingsAreNoAttributes) {
  static constexpr std::string_view kForms[] = {"torch.#($0)", "$0.#()"};
  Graph graph = Build().call("a", {0}).call("a", {0}).call("a", {0}).graph();
  graph.calls[0].forms = kForms;
  graph.calls[1].forms = kForms;
  graph.calls[1].infix = "-$0";
  MetricsCounter counter({"a"}, {profile(2)});
  counter.add(graph);
  EXPECT_DOUBLE_EQ(counter.result().nsa, 2) << "the third has other parameters";
}

TEST(Metrics, ProfilesShowWhatAnOperatorCanDo) {
  auto of = [](std::string_view id) {
    return profile_of(all_members()[static_cast<std::size_t>(member_number(id))], all_members());
  };
  auto bit = [](Dtype dtype) { return 1U << static_cast<unsigned>(dtype); };
  EXPECT_EQ(of("relu").in_degrees, 1U << 1);
  EXPECT_EQ(of("lt").gives, bit(Dtype::kBool));
  EXPECT_NE(of("cat").in_degrees & 1U << 2, 0u);
  EXPECT_NE(of("cat").in_degrees & 1U << 3, 0u);
  EXPECT_EQ(of("sigmoid").gives & bit(Dtype::kInt64), 0u);
}

TEST(Metrics, TheTableSaysWhichInDegreesArePossible) {
  auto of = [](std::string_view name) { return in_degrees_in_table(*find_operator(name)); };
  EXPECT_EQ(of("relu"), 1U << 1);
  EXPECT_EQ(of("add"), 1U << 2);
  EXPECT_EQ(of("conv2d"), 1U << 2 | 1U << 3) << "with and without a bias";
  EXPECT_EQ(of("where"), 1U << 1 | 1U << 2 | 1U << 3);
  EXPECT_EQ(of("cat"), 0u) << "any number";
  EXPECT_EQ(of("gather"), 0u) << "its index is no operand";
  OperatorFacts unknown;
  EXPECT_EQ(in_degrees_in_table(unknown), 0u) << "nothing is said of its operands, and nothing is needed";
}

TEST(Metrics, OfTheGeneratorStayInTheirRanges) {
  const GenerateOptions options{
      .only = {"relu", "sin", "add", "mul", "lt", "where", "sum", "cat", "transpose", "floor"}};
  MetricsCounter counter(members_named(options.only));
  for (std::uint64_t seed = 0; seed < 200; ++seed) counter.add(generate_graph(seed, options));
  const Metrics metrics = counter.result();
  EXPECT_DOUBLE_EQ(metrics.noo, 20);
  EXPECT_GT(metrics.types, 7);
  EXPECT_LE(metrics.types, 10);
  EXPECT_GT(metrics.nop, 5);
  for (double one : {metrics.otc, metrics.idc, metrics.sec, metrics.dec}) {
    EXPECT_GT(one, 0);
    EXPECT_LE(one, 1);
  }
}

}  // namespace
}  // namespace jp::seedgen
