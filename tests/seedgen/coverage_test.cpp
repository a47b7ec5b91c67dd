// Coverage of graphs, and draws under a guide.
#include "seedgen/measure/coverage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "seedgen/bases/members.h"
#include "seedgen/generate.h"

namespace jp::seedgen {
namespace {

std::vector<std::string> names(const std::vector<Feature>& features) {
  std::vector<std::string> all;
  for (Feature feature : features) all.push_back(feature_name(feature));
  return all;
}

GraphValue value(int id, Dtype dtype, const Shape& shape) {
  GraphValue made;
  made.id = id;
  made.dtype = dtype;
  made.shape = shape;
  return made;
}

Call call(std::string_view op, const std::vector<int>& reads, int output) {
  Call made;
  made.op = op;
  for (int read : reads) made.arguments.emplace_back(Ref{read});
  made.outputs = {output};
  return made;
}

Graph three() {
  Graph graph;
  graph.values = {value(0, Dtype::kFloat32, {2, 3}), value(1, Dtype::kFloat32, {2, 3}), value(2, Dtype::kBool, {64}),
                  value(3, Dtype::kInt64, {})};
  graph.calls = {call("relu", {0}, 1), call("lt", {1, 0}, 2), call("sum", {2}, 3)};
  return graph;
}

TEST(Coverage, OfAGraphByHand) {
  std::vector<std::string> expected = {"dtype relu float32", "shape relu 2d 2+", "dtype lt bool",
                                       "shape lt 1d 64+",    "edge relu lt",     "dtype sum int64",
                                       "shape sum 0d 1",     "edge lt sum",      "path relu lt sum"};
  std::sort(expected.begin(), expected.end());
  std::vector<std::string> found = names(coverage_of(three()));
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
}

TEST(Coverage, EachFeatureHasANameOfItsOwn) {
  std::map<std::string, Feature> named;
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    for (Feature feature : coverage_of(generate_graph(seed, {}))) {
      const std::string name = feature_name(feature);
      EXPECT_EQ(named.try_emplace(name, feature).first->second, feature) << name;
    }
  EXPECT_GT(named.size(), 1000u);
}

TEST(Coverage, ACallThatIsPutBackLeavesNothing) {
  const Graph graph = three();
  FeatureFinder finder;
  finder.next(graph);
  Graph other = graph;
  other.values.push_back(value(4, Dtype::kFloat32, {1}));
  other.calls[1] = call("add", {0, 4}, 2);
  finder.next(other);
  finder.put_back();
  std::vector<std::string> found = names(finder.next(graph));
  EXPECT_TRUE(std::find(found.begin(), found.end(), "edge relu lt") != found.end());
}

// Features covered by programs that learn from one another.
std::size_t covered(std::uint64_t first, int programs, bool guided) {
  Coverage known;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(programs); ++seed) {
    const Program program =
        guided ? generate_guided(seed, {}, {known}).value() : generate(seed, GenerateOptions{}).value();
    GenerateOptions options;
    options.refused = program.lineage().seed.refused;
    for (Feature feature : coverage_of(generate_graph(seed, options))) known.add(feature);
  }
  return known.size();
}

TEST(Guide, CoversMoreWithAsManyPrograms) {
  for (std::uint64_t first : {0, 1000, 2000}) {
    const std::size_t with = covered(first, 300, true);
    const std::size_t without = covered(first, 300, false);
    EXPECT_GT(with, without);
  }
}

TEST(Guide, TheLineageGivesTheProgramAgain) {
  Coverage known;
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (Feature feature : coverage_of(generate_graph(seed, {}))) known.add(feature);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Program program = generate_guided(seed, {}, {known}).value();
    const Seed& made = program.lineage().seed;
    refused += made.refused.size();
    EXPECT_EQ(made.operators, 20);
    EXPECT_EQ(regenerate(made).value().source(), program.source());
    EXPECT_EQ(generate_guided(seed, {}, {known}).value().source(), program.source());
  }
  EXPECT_GT(refused, 20u);
}

TEST(Guide, WithNothingKnownNothingIsPutBackButRepeats) {
  const Coverage nothing;
  const Program guided = generate_guided(5, {}, {.known = nothing, .retries = 0}).value();
  EXPECT_EQ(guided.source(), generate(5, {}).value().source());
}

}  // namespace
}  // namespace jp::seedgen
