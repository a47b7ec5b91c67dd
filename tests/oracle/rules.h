// Helpers for the tests of rules: what is weak, what agrees by which rule, what diverges.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "oracle/judge/rules.h"
#include "tests/oracle/build.h"

namespace jp::oracle::test {

using VerdictKind = Verdict::Kind;

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInf = std::numeric_limits<float>::infinity();

inline Recorded one_float(float x) { return returning(floats({x})); }
inline Recorded one_double(double x) { return returning(doubles({x})); }
inline Recorded half(std::uint16_t bits) { return returning(tensor_of<std::uint16_t>("float16", {bits})); }
inline Recorded raising(const std::string& type, const std::string& message = "no") {
  Recorded run;
  run.call().exception = exception(type, message);
  return run;
}
inline Recorded flagged(const std::function<void(TensorRecord&)>& change) {
  TensorRecord record = floats({1, 2, 3, 4}, {2, 2});
  change(record);
  return returning(record);
}
inline Recorded plain() {
  return flagged([](TensorRecord&) {});
}

/// Two tensors: the first in storage 5 with identity 1, the other as given.
inline Recorded pair_of(std::int64_t storage, std::int64_t identity) {
  Recorded run;
  TensorRecord one = floats({1});
  one.identity = 1;
  one.storage = 5;
  TensorRecord other = one;
  other.identity = identity;
  other.storage = storage;
  run.call().output = sequence("tuple", {run.add(one), run.add(other)});
  return run;
}

inline Verdict of(const Recorded& eager, const Recorded& compiled, const Answers& answers = {}) {
  return verdict_on(eager, compiled, nullptr, answers);
}
inline Verdict ends(const Ending& compiled) {
  return verdict_of_oracle("eager_vs_compiled", test_plan(), {plain().outcome("eager"), {"compiled", compiled, 0}});
}
inline Verdict reporting(const std::string& weak, const Recorded& eager, const Recorded& compiled) {
  Plan plan = test_plan();
  plan.report = {weak};
  return verdict_of_oracle("eager_vs_compiled", plan, {eager.outcome("eager"), compiled.outcome("compiled")});
}
/// Weak by itself, and a finding if the plan reports the class.
inline void expect_weak(const std::string& name, const Recorded& eager, const Recorded& compiled) {
  const Verdict closed = of(eager, compiled);
  EXPECT_EQ(closed.kind, VerdictKind::kAgree) << closed.reason;
  ASSERT_FALSE(closed.weak.empty());
  EXPECT_EQ(mismatch_name(closed.weak[0].mismatch), name);
  const Verdict open = reporting(name, eager, compiled);
  EXPECT_EQ(open.kind, VerdictKind::kDiverge);
  EXPECT_EQ(open.rule, name);
  const Verdict other = reporting(name == "strides" ? "offset" : "strides", eager, compiled);
  EXPECT_EQ(other.kind, VerdictKind::kAgree) << "another class is open";
}
/// The verdict of an oracle on a program with a seed and switches; and runs that show one integer, or count kernels.
inline Verdict judged_by(const std::string& oracle, const std::vector<Outcome>& outcomes) {
  PlanOptions options;
  options.seed_text = "x = 1";
  options.switches = {"dynamic"};
  const Plan plan = find_oracle(oracle)->plan(Program::make("x = 1", {}).value(), options);
  return verdict_of_oracle(oracle, plan, outcomes);
}
inline Outcome shown(const std::string& role, std::int64_t x) { return returning(longs({x})).outcome(role); }
inline Outcome counted(const std::string& role, std::int64_t kernels) {
  Recorded run = plain();
  run.counters.others["generated_kernels"] = kernels;
  return run.outcome(role);
}
#define AGREES(verdict, name)                                 \
  do {                                                        \
    const Verdict made = verdict;                             \
    EXPECT_EQ(made.kind, VerdictKind::kAgree) << made.reason; \
    EXPECT_EQ(made.rule, RuleName(name).text());              \
  } while (false)
#define DIVERGES(verdict, name)                                 \
  do {                                                          \
    const Verdict made = verdict;                               \
    EXPECT_EQ(made.kind, VerdictKind::kDiverge) << made.reason; \
    EXPECT_EQ(made.rule, RuleName(name).text());                \
  } while (false)
#define IS(verdict, wanted, name)                \
  do {                                           \
    const Verdict made = verdict;                \
    EXPECT_EQ(made.kind, wanted) << made.reason; \
    EXPECT_EQ(made.rule, RuleName(name).text()); \
  } while (false)

}  // namespace jp::oracle::test
