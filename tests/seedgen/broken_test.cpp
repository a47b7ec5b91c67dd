// Programs with one broken rule: the texts. That eager refuses them, and where, is seedgen.check_broken's matter.
#include "seedgen/broken.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "seedgen/generate.h"

namespace jp::seedgen {
namespace {

const GenerateOptions kSmall{.operators = 6};

std::size_t lines_with(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(Broken, RulesHaveNamesOfTheirOwnAndSentences) {
  std::set<std::string_view> names;
  for (const BrokenRule& rule : broken_rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_FALSE(rule.says.empty()) << rule.name;
  }
  EXPECT_GE(names.size(), 50u);
}

TEST(Broken, ACallAndAHeadMoreThanTheProgramOfTheSeed) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string whole = generate(seed, kSmall).value().source();
    const std::string broken = generate_broken(seed, kSmall).value().source();
    EXPECT_EQ(std::count(broken.begin(), broken.end(), '\n'), std::count(whole.begin(), whole.end(), '\n') + 2)
        << broken;
    EXPECT_EQ(lines_with(broken, "# breaks a rule on purpose: "), 1u);
    EXPECT_TRUE(broken.starts_with("# Breaks a rule on purpose, ")) << broken;
  }
}

TEST(Broken, LineageGivesTheProgramAgain) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Program program = generate_broken(seed, kSmall).value();
    EXPECT_EQ(regenerate(program.lineage().seed).value().source(), program.source());
  }
}

TEST(Broken, CoversTheRuleThatItBreaks) {
  std::set<Feature> features;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string name = feature_name(broken_feature(seed, kSmall));
    const std::string rule = name.substr(7, name.find(' ', 7) - 7);
    EXPECT_EQ(lines_with(generate_broken(seed, kSmall).value().source(), "# breaks a rule on purpose: " + rule + "\n"),
              1u)
        << name;
    EXPECT_EQ(feature_named(name), broken_feature(seed, kSmall)) << name;
    features.insert(broken_feature(seed, kSmall));
  }
  EXPECT_GT(features.size(), 150u) << "rules, dtypes and shapes of many kinds";
  EXPECT_FALSE(feature_named("broken no_such_rule int8 2d 8+"));
}

TEST(Broken, EveryRuleComes) {
  std::string all;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) all += generate_broken(seed, kSmall).value().source();
  for (const BrokenRule& rule : broken_rules()) EXPECT_NE(all.find(rule.name), std::string::npos) << rule.name;
}

}  // namespace
}  // namespace jp::seedgen
