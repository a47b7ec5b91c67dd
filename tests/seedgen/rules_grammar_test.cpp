// The rules of judging that the grammar makes true, by what it never writes: each where it holds, and that what stands
// nearest to it is written still.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "oracle/judge/rules.h"
#include "seedgen/bases/table.h"
#include "seedgen/generate.h"

namespace jp::seedgen {
namespace {

TEST(RulesOfTheGrammar, EachHasItsTwoTests) {
  std::set<std::string> tests;
  const auto* all = testing::UnitTest::GetInstance();
  for (int i = 0; i < all->total_test_suite_count(); ++i)
    for (int j = 0; j < all->GetTestSuite(i)->total_test_count(); ++j)
      tests.insert(std::string(all->GetTestSuite(i)->name()) + "." + all->GetTestSuite(i)->GetTestInfo(j)->name());
  for (const oracle::Rule& rule : oracle::kRules) {
    if (rule.by != oracle::DecidedBy::kGrammar) continue;
    EXPECT_TRUE(tests.contains("Rule_" + std::string(rule.name) + ".Holds")) << rule.name;
    EXPECT_TRUE(tests.contains("Rule_" + std::string(rule.name) + ".NearestBugGetsThrough")) << rule.name;
  }
}

constexpr std::uint64_t kSeeds = 3000;

// Programs of 20 operators, and cells spread over every table.
const std::vector<std::string>& sources() {
  static const std::vector<std::string> made = [] {
    std::vector<std::string> texts;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) texts.push_back(generate(seed, {}).value().source());
    for (const Table* table : Registry<Table>::instance().all())
      for (std::uint64_t i = 0; i < 200; ++i) texts.push_back(table->text(i * table->size() / 200));
    return texts;
  }();
  return made;
}

// From the entry's `def` on: what stands before it makes the arguments.
std::string entry_of(const std::string& source) { return source.substr(source.find("def program(")); }
std::string before_entry(const std::string& source) { return source.substr(0, source.find("def program(")); }

std::size_t entries_with(const std::regex& call) {
  return static_cast<std::size_t>(std::count_if(sources().begin(), sources().end(), [&](const std::string& source) {
    return std::regex_search(entry_of(source), call);
  }));
}

// Lines of the entries that match, and those of them that match the other too.
struct Lines {
  std::size_t all = 0;
  std::vector<std::string> without;
};
Lines lines_with(const std::regex& call, const std::regex& harmless) {
  Lines found;
  for (const std::string& source : sources()) {
    std::istringstream text(entry_of(source));
    for (std::string line; std::getline(text, line);) {
      if (!std::regex_search(line, call)) continue;
      ++found.all;
      if (!std::regex_search(line, harmless)) found.without.push_back(line);
    }
  }
  return found;
}

const std::regex kRandom(R"(\b(rand|randn|randint|randperm|rand_like|randn_like|randint_like|bernoulli_?|multinomial|)"
                         R"(normal_?|poisson|uniform_|exponential_|geometric_|cauchy_|log_normal_|random_)\()");
// Random while they train and drop something, else not; alpha_dropout and rrelu don't train unless told to.
const std::regex kDropout(R"(\b(rrelu_?|(feature_)?(alpha_)?dropout[123]?d?)\()");
const std::regex kDropsNothing(R"(False|\b0\.0\b|rrelu|alpha_dropout\((?!.*True))");

TEST(Rule_random_operators, Holds) {
  EXPECT_EQ(entries_with(kRandom), 0u);
  for (const std::string& line : lines_with(kDropout, kDropsNothing).without) ADD_FAILURE() << line;
  EXPECT_EQ(entries_with(std::regex(R"(rrelu_?\([^\n]*(training=True|, [^=,]+, [^=,]+, True))")), 0u);
}
TEST(Rule_random_operators, NearestBugGetsThrough) {
  // Arguments are drawn at random, by a generator with a seed of its own; and dropout is called where it drops nothing.
  const auto drawn = std::count_if(sources().begin(), sources().end(), [](const std::string& source) {
    return std::regex_search(before_entry(source), kRandom) && source.find("manual_seed(") != std::string::npos;
  });
  EXPECT_GT(drawn, static_cast<std::int64_t>(kSeeds / 2));
  EXPECT_GT(lines_with(kDropout, kDropsNothing).all, 0u);
}

const std::regex kEmpty(R"(\b(empty|empty_like|empty_strided|new_empty|new_empty_strided)\(|\bresize_\()");
const std::regex kFilled(R"(\)\.fill_\()");

TEST(Rule_uninitialised_memory, Holds) {
  for (const std::string& line : lines_with(kEmpty, kFilled).without) ADD_FAILURE() << line;
}
TEST(Rule_uninitialised_memory, NearestBugGetsThrough) {
  // New memory that is written whole at once.
  EXPECT_GT(lines_with(kEmpty, kFilled).all, 0u);
}

TEST(Rule_module_truth, Holds) {
  // No class has both a truth of its own and a module among its bases.
  const std::regex module(R"(class \w+\([^)]*Module\))");
  const std::regex truth(R"(def __(bool|len)__\()");
  for (const std::string& source : sources())
    EXPECT_FALSE(std::regex_search(source, module) && std::regex_search(source, truth)) << source;
}
TEST(Rule_module_truth, NearestBugGetsThrough) {
  // The truth of a container, which the compiler has to follow, is asked.
  EXPECT_GT(entries_with(std::regex(R"(\b(if|while|bool\(|not) *\(?[a-z]\w*(\)| |:))")), 0u);
}

// Operands of the calls of these operators that are of integers: what is shifted or divided, and by what.
struct Operands {
  GraphValue first;
  Interval second;
};
std::vector<Operands> operands_of(const std::set<std::string_view>& names) {
  std::vector<Operands> found;
  for (std::uint64_t seed = 0; seed < 5 * kSeeds; ++seed) {
    const Graph graph = generate_graph(seed, {});
    // Writes change intervals, and what stands in the graph are those at its end.
    if (std::any_of(graph.calls.begin(), graph.calls.end(), [](const Call& call) { return call.written >= 0; }))
      continue;
    for (const Call& call : graph.calls) {
      if (!names.contains(call.op) || call.arguments.size() < 2) continue;
      const auto* first = std::get_if<Ref>(&call.arguments[0]);
      if (!first) continue;
      const GraphValue& value = graph.values[static_cast<std::size_t>(first->value)];
      if (!is_integral(value.dtype) || value.dtype == Dtype::kBool) continue;
      if (const auto* ref = std::get_if<Ref>(&call.arguments[1])) {
        const GraphValue& second = graph.values[static_cast<std::size_t>(ref->value)];
        if (is_integral(second.dtype)) found.push_back({value, second.interval});
      } else if (const auto* number = std::get_if<std::int64_t>(&call.arguments[1])) {
        found.push_back({value, {static_cast<double>(*number), static_cast<double>(*number)}});
      }
    }
  }
  return found;
}
const std::set<std::string_view> kShifts = {"bitwise_left_shift", "bitwise_right_shift"};
const std::set<std::string_view> kDivisions = {"floor_divide", "remainder", "fmod"};

TEST(Rule_undefined_integers, Holds) {
  for (const Operands& one : operands_of(kShifts)) {
    EXPECT_GE(one.second.low, 0);
    EXPECT_LT(one.second.high, 8.0 * dtype_size(one.first.dtype));
  }
  for (const Operands& one : operands_of(kDivisions)) EXPECT_TRUE(one.second.low > 0 || one.second.high < 0);
}
TEST(Rule_undefined_integers, NearestBugGetsThrough) {
  const auto shifts = operands_of(kShifts);
  EXPECT_TRUE(std::any_of(shifts.begin(), shifts.end(), [](const Operands& one) { return one.second.high >= 5; }));
  EXPECT_TRUE(
      std::any_of(shifts.begin(), shifts.end(), [](const Operands& one) { return one.first.interval.low < 0; }));
  const auto divisions = operands_of(kDivisions);
  EXPECT_TRUE(
      std::any_of(divisions.begin(), divisions.end(), [](const Operands& one) { return one.first.interval.low < 0; }));
}

}  // namespace
}  // namespace jp::seedgen
