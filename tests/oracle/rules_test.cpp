// The table of rules: every rule of judging has a test that it holds and one that the nearest real bug gets through.
#include "oracle/judge/rules.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "oracle/judge/overlap.h"
#include "tests/oracle/build.h"

namespace jp::oracle::test {
namespace {

// The table.

bool is_tested_here(const Rule& rule) {
  return rule.by == DecidedBy::kOrder || rule.by == DecidedBy::kJudge || rule.by == DecidedBy::kBackend;
}

TEST(Rules, EachHasItsTwoTests) {
  std::set<std::string> tests;
  const auto* all = testing::UnitTest::GetInstance();
  for (int i = 0; i < all->total_test_suite_count(); ++i)
    for (int j = 0; j < all->GetTestSuite(i)->total_test_count(); ++j)
      tests.insert(std::string(all->GetTestSuite(i)->name()) + "." + all->GetTestSuite(i)->GetTestInfo(j)->name());
  for (const Rule& rule : kRules) {
    if (!is_tested_here(rule)) continue;
    EXPECT_TRUE(tests.contains("Rule_" + std::string(rule.name) + ".Holds")) << rule.name;
    EXPECT_TRUE(tests.contains("Rule_" + std::string(rule.name) + ".NearestBugGetsThrough")) << rule.name;
  }
  for (const std::string& test : tests) {
    if (!test.starts_with("Rule_")) continue;
    EXPECT_TRUE(find_rule(test.substr(5, test.find('.') - 5))) << test;
  }
}

TEST(Rules, NamesAreUniqueAndSentencesAreSentences) {
  std::set<std::string_view> names;
  for (const Rule& rule : kRules) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_TRUE(rule.sentence.ends_with('.')) << rule.name;
    EXPECT_FALSE(decided_by_name(rule.by).empty());
  }
}

TEST(Rules, EachWeakClassIsOne) {
  const std::vector<std::string> classes = weak_classes();
  EXPECT_EQ(classes.size(), 11U);
  for (const std::string& name : classes) EXPECT_TRUE(find_rule(name)) << name;
}

// RuleName checks names while compiling; nothing may go round it.
TEST(Rules, NoVerdictIsGivenATextAsItsRule) {
  const std::regex raw(R"re(verdict\.rule = "|Decision\{"|decide\(\s*\{")re");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(JITPROBE_SOURCE_DIR "/oracle")) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      EXPECT_FALSE(std::regex_search(line, raw)) << entry.path() << ": " << line;
  }
}

TEST(Overlap, ByShapeAndStrides) {
  const auto overlaps = [](std::vector<std::int64_t> shape, std::vector<std::int64_t> strides) {
    TensorRecord record;
    record.shape = std::move(shape);
    record.strides = std::move(strides);
    return overlaps_itself(record);
  };
  EXPECT_FALSE(overlaps({2, 3}, {3, 1}));
  EXPECT_FALSE(overlaps({2, 3}, {1, 2}));
  EXPECT_FALSE(overlaps({3, 2}, {2, 3})) << "interleaved, and still apart";
  EXPECT_TRUE(overlaps({2, 3}, {0, 1}));
  EXPECT_TRUE(overlaps({2, 2}, {1, 1}));
  EXPECT_FALSE(overlaps({1, 3}, {0, 1}));
  EXPECT_FALSE(overlaps({0, 3}, {0, 0}));
  EXPECT_FALSE(overlaps({}, {}));
  EXPECT_TRUE(overlaps({1 << 20, 2}, {1, 5}));
}

}  // namespace
}  // namespace jp::oracle::test
