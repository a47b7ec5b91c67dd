// Facts are those of a program and its steps, and the newest ones are kept.
#include "explore/facts_cache.h"

#include <gtest/gtest.h>

#include "answers/steps.h"

namespace jp::explore {
namespace {

mutate::Parsed parsed_from(const std::string& source, const std::string& entry = "program") {
  return mutate::parse(Program::make(source, {}, "", entry).value()).value();
}

std::shared_ptr<const Shown> shown() { return std::make_shared<const Shown>(); }

TEST(FactsCache, FindsWhatItKept) {
  FactsCache cache(2);
  const auto one = shown();
  cache.keep(parsed_from("x = 1\n"), one);
  EXPECT_EQ(cache.find(parsed_from("x = 1\n")), one);
  EXPECT_EQ(cache.find(parsed_from("x = 2\n")), nullptr);
  EXPECT_EQ(cache.find(parsed_from("x = 1\n", "other")), nullptr);
}

TEST(FactsCache, TellsStepsApartByTheirNumbers) {
  const std::string source = "def program(x):\n    y = x\n    return y\n";
  const std::string step = "wrap_loop@s1=0,1";
  const auto first = answers::replay_written(parsed_from(source), {step});
  const auto second = answers::replay_written(parsed_from(source), {"", step});
  ASSERT_EQ(first.steps[0].error, "");
  FactsCache cache(2);
  cache.keep(first.made, shown());
  EXPECT_NE(cache.find(first.made), nullptr);
  EXPECT_EQ(cache.find(second.made), nullptr);
}

TEST(FactsCache, DropsTheOneThatWasUnusedLongest) {
  FactsCache cache(2);
  cache.keep(parsed_from("x = 1\n"), shown());
  cache.keep(parsed_from("x = 2\n"), shown());
  EXPECT_NE(cache.find(parsed_from("x = 1\n")), nullptr);
  cache.keep(parsed_from("x = 3\n"), shown());
  EXPECT_NE(cache.find(parsed_from("x = 1\n")), nullptr);
  EXPECT_EQ(cache.find(parsed_from("x = 2\n")), nullptr);
  EXPECT_NE(cache.find(parsed_from("x = 3\n")), nullptr);
}

}  // namespace
}  // namespace jp::explore
