// Programs with one broken constraint: the texts. seedgen.check_breaks tests that eager refuses them, and where.
#include "seedgen/broken.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "seedgen/bases/members.h"
#include "seedgen/generate.h"

namespace jp::seedgen {
namespace {

const GenerateOptions kSmall{.operators = 6};

std::size_t lines_with(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// "dtype:0:near" of "broken add dtype:0:near int8 2d 8+".
std::string way_of(Feature feature) {
  const std::string name = feature_name(feature);
  const std::size_t from = name.find(' ', name.find(' ') + 1) + 1;
  return name.substr(from, name.find(' ', from) - from);
}

std::set<std::string> ways_of(const std::string& op, std::uint64_t seeds) {
  std::set<std::string> ways;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    for (const BrokenCall& call : broken_calls(op, seed, 0))
      if (call.only_ours.empty()) ways.insert(way_of(call.feature));
  return ways;
}

TEST(Broken, OneMarkedCallAndAHead) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string broken = generate_broken(seed, kSmall).value().source();
    EXPECT_EQ(lines_with(broken, "# breaks a constraint on purpose: "), 1u) << broken;
    EXPECT_TRUE(broken.starts_with("# Breaks a constraint on purpose, ")) << broken;
  }
}

TEST(Broken, LineageGivesTheProgramAgain) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Program program = generate_broken(seed, kSmall).value();
    EXPECT_EQ(regenerate(program.lineage().seed).value().source(), program.source());
  }
}

TEST(Broken, AlsoWithAnySizesAndOperators) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const GenerateOptions sized{.operators = 1, .most_operators = 12};
    EXPECT_TRUE(generate_broken(seed, sized).ok());
    GenerateOptions only{.operators = 1};
    only.only = {"conv2d"};
    EXPECT_NE(generate_broken(seed, only).value().source().find("purpose: conv2d "), std::string::npos);
  }
}

TEST(Broken, CoversWhatItBreaks) {
  std::set<Feature> features;
  for (std::size_t i = 0; i < all_members().size(); i += 10)
    for (const BrokenCall& call : broken_calls(std::string(all_members()[i].id), i, 0)) {
      const std::string name = feature_name(call.feature);
      EXPECT_TRUE(name.starts_with("broken " + call.op + " ")) << name;
      EXPECT_EQ(
          lines_with(call.source, "# breaks a constraint on purpose: " + call.op + " " + way_of(call.feature) + "\n"),
          1u)
          << name;
      features.insert(call.feature);
    }
  EXPECT_GT(features.size(), 290u) << "operators, constraints, dtypes and shapes of many kinds";
}

// What is known of some operators, and must follow from their draws alone.
TEST(Broken, KnownConstraintsAreDerived) {
  const std::map<std::string, std::vector<std::string>> kKnown = {
      {"relu", {"dtype:0:near", "tensor:0:near", "tensor:0:far"}},
      {"add", {"size:1:near", "size:1:far"}},
      {"matmul", {"dtype:1:near", "size:1:near"}},
      {"conv2d", {"dtype:0:near", "rank:0:near", "size:1:near", "size:1:far"}},
      {"sum", {"dim:0:near", "dim:0:far"}},
      {"permute", {"other_dim:1:near", "other_dim:1:far", "dim:0:near"}},
      {"index_select", {"dtype:1:near", "values:1:near", "values:1:far", "dim:0:near"}},
      {"add_", {"leaf:0:near", "overlap:0:near"}},
      {"topk", {"range:2:near", "range:2:far"}},
      {"unfold", {"range:2:near", "range:3:near"}},
      {"interpolate_linear", {"choice:2:near", "choice:2:far"}},
  };
  for (const auto& [op, expected] : kKnown) {
    ASSERT_GE(member_number(op), 0) << op;
    const std::set<std::string> ways = ways_of(op, 40);
    for (const std::string& way : expected) EXPECT_TRUE(ways.contains(way)) << op << " " << way;
  }
}

// 95 % of the operators in two ways or more; torch says in seedgen.check_breaks whether it refuses them.
TEST(Broken, AlmostEveryOperatorInTwoWays) {
  std::size_t twice = 0;
  std::string others;
  for (const Member& member : all_members())
    ways_of(std::string(member.id), 3).size() >= 2 ? (void)++twice : (void)(others += fmt::format("{} ", member.id));
  EXPECT_GE(twice * 100, all_members().size() * 95) << others;
}

TEST(Broken, EveryBreachOfEveryOperatorIsOneMarkedCall) {
  for (const Member& member : all_members())
    for (const BrokenCall& call : broken_calls(std::string(member.id), 77, 0)) {
      EXPECT_EQ(lines_with(call.source, "# breaks a constraint on purpose: "), 1u) << call.source;
      EXPECT_EQ(call.source.find("7777"), std::string::npos) << call.source;
    }
}

// The tensor's strides are not known, so no view of it may become another argument.
TEST(Broken, CallsOfATensorNameEachValueOnce) {
  for (const Member& member : all_members())
    for (const BrokenCall& call :
         broken_calls_of(std::string(member.id), 4011, {.dtype = Dtype::kInt32, .shape = {4, 4}})) {
      EXPECT_EQ(call.source.find("v-1"), std::string::npos) << call.source;
      EXPECT_EQ(call.source.find("program(v0, v0"), std::string::npos) << call.source;
    }
}

TEST(Broken, EveryConstraintComes) {
  std::string all;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) all += generate_broken(seed, {.operators = 1}).value().source();
  for (int i = 0; i < kConstraints; ++i) {
    const std::string name = fmt::format(" {}:", constraint_name(static_cast<Constraint>(i)));
    EXPECT_NE(all.find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace jp::seedgen
