// What unspecified behaviour excuses, and the nearest real bugs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "oracle/judge/limits.h"
#include "tests/oracle/rules.h"

namespace jp::oracle::test {
namespace {

TEST(Rule_other_choices, Holds) {
  AGREES(of(returning(longs({1})), returning(longs({2})), {{"other_choices_1", returning(longs({2}))}}),
         "other_choices");
  AGREES(of(one_float(1), one_float(3), {{"other_choices_2", one_float(2)}}), "other_choices");
  AGREES(of(returning(text("first 1")), returning(text("first 2")), {{"other_choices_1", returning(text("first 3"))}}),
         "other_choices");
  const float infinity = std::numeric_limits<float>::infinity();
  AGREES(of(one_float(infinity), one_float(-infinity), {{"other_choices_1", one_float(-infinity)}}), "other_choices");
  // A deadline that has passed.
  IS(of(one_float(1), raising("TimeoutError", "too slow"), {{"other_choices_2", raising("TimeoutError", "too slow")}}),
     Verdict::Kind::kUnstable, "other_choices");
}
TEST(Rule_other_choices, NearestBugGetsThrough) {
  const auto pair = [](std::int64_t one, std::int64_t other) { return returning(longs({one, other})); };
  DIVERGES(of(pair(1, 5), pair(2, 6), {{"other_choices_1", pair(2, 5)}}), "exact");
  DIVERGES(of(one_float(1), one_float(3), {{"other_choices_1", one_float(1)}}), "monte_carlo");
  const float infinity = std::numeric_limits<float>::infinity();
  DIVERGES(of(one_float(infinity), one_float(5), {{"other_choices_1", one_float(-infinity)}}), "nonfinite");
  const auto said = [](const char* words) { return returning(text(words)); };
  DIVERGES(of(said("0.1 s, at 3"), said("4.2 s, at 5"), {{"other_choices_1", said("2.1 s, at 3")}}), "text");
  // Rows of two equal numbers, of which one gets the gradient.
  const auto judged = [](const std::vector<float>& compiled, const std::vector<float>& other) {
    return of(returning(floats({3, 1, -4, 1})), returning(floats(compiled)),
              {{"other_choices_1", returning(floats(other))}, {"other_choices_2", returning(floats({1, 3, 1, -4}))}});
  };
  DIVERGES(judged({1, 1, 1, 1}, {3, 1, 1, -4}), "monte_carlo");
  DIVERGES(judged({3, 3, -4, 1}, {3, 1, 1, -4}), "monte_carlo");
  AGREES(judged({1, 3, -4, 1}, {3, 1, 1, -4}), "other_choices");
  AGREES(judged({1, 3, 1, -4}, {3, 1, 1, -4}), "other_choices");
  AGREES(judged({1, 1, 1, 1}, {3, 1, -4, 1}), "other_choices");  // one run alone moves something
  AGREES(judged({1, 1, 1, 1}, {2, 1, 1, 1}), "other_choices");   // sums differ anyway
}

// Answers of runs with other choices, and of those that list equal elements: these runs, in turn.
Answers listing(const std::vector<Recorded>& shown) {
  Answers answers;
  for (int i = 1; i <= kLimits.equal_runs; ++i) {
    const Recorded& run = shown.at(static_cast<std::size_t>(i) % shown.size());
    answers[fmt::format("other_equals_{}", i)] = run;
    if (i <= kLimits.choice_runs) answers[fmt::format("other_choices_{}", i)] = run;
  }
  return answers;
}

TEST(Rule_other_choices, WhatEqualElementsLeadToIsListed) {
  const auto index = [](std::int64_t i) { return returning(longs({i})); };
  const Answers two = listing({index(1), index(2)});
  DIVERGES(of(index(1), index(5), two), "exact");
  AGREES(of(index(1), index(2), two), "other_choices");
  const auto number = [](int i) { return returning(integer(i)); };
  DIVERGES(of(number(1), number(5), listing({number(1), number(2)})), "exact");
  AGREES(of(number(1), number(2), listing({number(1), number(2)})), "other_choices");
  // What such an element is computed to, rounded.
  const Answers values = listing({one_float(1), one_float(3)});
  DIVERGES(of(one_float(1), one_float(2), values), "monte_carlo");
  AGREES(of(one_float(1), one_float(3.001F), values), "other_choices");
  DIVERGES(of(one_float(kInf), one_float(2), listing({one_float(kInf), one_float(3)})), "nonfinite");
}

TEST(Rule_other_choices, WhatIsOnlyPermutedIsStillThere) {
  const auto indices = [](std::int64_t one, std::int64_t other) { return returning(longs({one, other, 9})); };
  const Answers swapped = listing({indices(0, 1), indices(1, 0)});
  DIVERGES(of(indices(0, 1), indices(0, 0), swapped), "exact");
  AGREES(of(indices(0, 1), indices(1, 0), swapped), "other_choices");
  const auto numbers = [](float one, float other) { return returning(floats({one, other, 9})); };
  const Answers moved = listing({numbers(5, 7), numbers(7, 5)});
  DIVERGES(of(numbers(5, 7), numbers(7, 7), moved), "monte_carlo");
  AGREES(of(numbers(5, 7), numbers(7.0001F, 5), moved), "other_choices");
  // Not all runs keep what eager has: two of three equal elements.
  const Answers some = listing({indices(0, 1), indices(1, 2)});
  AGREES(of(indices(0, 1), indices(1, 1), some), "other_choices");
}

TEST(Rule_other_choices, AListThatMayBeIncompleteExcusesAnything) {
  const auto index = [](std::int64_t i) { return returning(longs({i})); };
  Answers another = listing({index(1), index(2)});
  another["other_choices_2"] = index(3);
  AGREES(of(index(1), index(5), another), "other_choices");
  Answers short_one = listing({index(1), index(2)});
  short_one["other_equals_7"] = raising("IndexError");
  AGREES(of(index(1), index(5), short_one), "other_choices");
}

}  // namespace
}  // namespace jp::oracle::test
