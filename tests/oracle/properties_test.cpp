// What must hold of every observation, whatever is in it.
#include <gtest/gtest.h>

#include <set>

#include "core/choices.h"
#include "oracle/judge/compare.h"
#include "tests/oracle/build.h"

namespace jp::oracle::test {
namespace {

TensorRecord draw_tensor(Choices& choices) {
  std::vector<std::int64_t> shape;
  std::size_t count = 1;
  for (std::uint64_t rank = choices.below(4); rank > 0; --rank) {
    shape.push_back(choices.between(0, 3));
    count *= static_cast<std::size_t>(shape.back());
  }
  const Dtype dtype = choices.pick(all_dtypes());
  TensorRecord record;
  record.dtype = dtype_name(dtype);
  record.layout = "strided";
  record.device = "cpu";
  record.shape = shape;
  record.strides = dense_strides(shape);
  record.storage = choices.between(1, 4);
  record.identity = choices.between(1, 4);
  record.requires_grad = choices.chance(1, 3);
  for (std::size_t i = 0; i < count * static_cast<std::size_t>(dtype_size(dtype)); ++i)
    record.bytes += static_cast<char>(dtype == Dtype::kBool ? choices.below(2) : choices.below(256));
  return record;
}

Value draw_value(Choices& choices, Recorded& run, int depth) {
  switch (choices.below(depth > 3 ? 6 : 10)) {
    case 0:
      return Value{};
    case 1:
      return integer(choices.between(-5, 5));
    case 2:
      return boolean(choices.chance(1, 2));
    case 3:
      return number(choices.unit());
    case 4:
      return text(choices.chance(1, 2) ? "value 1.25" : "naïve");
    case 5:
      return run.add(draw_tensor(choices));
    case 6: {
      Value reference = leaf(Value::Kind::kReference, "list", "");
      reference.index = choices.between(0, 3);
      return reference;
    }
    case 7:
      return mapping({{"'a'", draw_value(choices, run, depth + 1)}, {"'b'", draw_value(choices, run, depth + 1)}});
    default: {
      std::vector<Value> items;
      for (std::uint64_t n = choices.below(4); n > 0; --n) items.push_back(draw_value(choices, run, depth + 1));
      return sequence(choices.chance(1, 2) ? "list" : "tuple", items);
    }
  }
}

Recorded draw_run(Choices& choices) {
  Recorded run;
  const std::uint64_t calls = 1 + choices.below(3);
  for (std::size_t i = 0; i < calls; ++i) {
    Value output = draw_value(choices, run, 0);
    Value inputs = draw_value(choices, run, 0);
    Value gradients = draw_value(choices, run, 0);
    CallRecord& call = run.call(i);
    if (choices.chance(1, 6)) call.exception = exception("builtins.ValueError");
    call.output = output;
    call.inputs = inputs;
    call.gradients = gradients;
  }
  run.observation.observed = draw_value(choices, run, 0);
  return run;
}

TEST(Property, EveryRunAgreesWithItselfBitForBit) {
  Choices choices(1);
  for (int round = 0; round < 2000; ++round) {
    const Recorded run = draw_run(choices);
    const Verdict verdict = verdict_on(run, run, &run);
    ASSERT_EQ(verdict.kind, Verdict::Kind::kAgree) << round << ": " << verdict.reason;
    ASSERT_TRUE(verdict.weak.empty()) << round << ": " << verdict.weak[0].where;
  }
}

TEST(Property, WhetherTwoRunsDifferIsSymmetric) {
  Choices choices(2);
  int different = 0;
  for (int round = 0; round < 2000; ++round) {
    const Recorded one = draw_run(choices);
    const Recorded other = draw_run(choices);
    const bool there = compare(one.observation, other.observation).strong.empty();
    const bool back = compare(other.observation, one.observation).strong.empty();
    ASSERT_EQ(there, back) << round;
    different += there ? 0 : 1;
  }
  EXPECT_GT(different, 1500);
}

TEST(Property, JudgingIsPureAndIgnoresTheOrderOfOutcomes) {
  Choices choices(3);
  for (int round = 0; round < 200; ++round) {
    const Recorded one = draw_run(choices);
    const Recorded other = draw_run(choices);
    const std::vector<Outcome> outcomes = {one.outcome("eager"), one.outcome("eager_again"), other.outcome("compiled"),
                                           one.outcome("float64")};
    const std::vector<Outcome> reversed(outcomes.rbegin(), outcomes.rend());
    const Verdict verdict = judge_outcomes(outcomes).verdict;
    ASSERT_EQ(verdict, judge_outcomes(reversed).verdict);
    ASSERT_EQ(verdict.differences.empty(), verdict.kind != Verdict::Kind::kDiverge);
  }
}

TEST(Property, EveryOracleKeepsItsContract) {
  const auto all = Registry<Oracle>::instance().all();
  ASSERT_FALSE(all.empty());
  for (const Oracle* oracle : all) {
    PlanOptions options;
    options.backend = "eager";
    const Plan plan = oracle->plan(Program::make("x = 1\n", {}).value(), options);
    EXPECT_EQ(plan.oracle, oracle->name());
    ASSERT_FALSE(plan.runs.empty());
    std::set<std::string> roles;
    for (const RunRequest& run : plan.runs) EXPECT_TRUE(roles.insert(run.role).second) << run.role;
    EXPECT_FALSE(oracle->judge(plan, {}).wanted.empty());
  }
}

}  // namespace
}  // namespace jp::oracle::test
