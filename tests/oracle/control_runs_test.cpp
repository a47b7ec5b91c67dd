// What control runs explain: moved roundings, higher precision, half types, other values. Each with the nearest real
// bug.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/oracle/build.h"

namespace jp::oracle::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

// The second element is the difference of two large numbers: small, with the error of the large ones.
TEST(MonteCarlo, CancellationIsRounding) {
  const auto of = [](float compiled) {
    const Recorded exact = returning(doubles({1000.0, 0.0063}));
    const Recorded moved = returning(floats({1000.003F, 0.0065F}));
    return verdict_on(returning(floats({1000.003F, 0.0063F})), returning(floats({1000.001F, compiled})), &exact,
                      {{"monte_carlo_1", moved}});
  };
  EXPECT_EQ(of(0.0059F).kind, Verdict::Kind::kAgree);
  EXPECT_EQ(of(0.0163F).kind, Verdict::Kind::kDiverge) << "farther off than eight times the spread";
}

// Of many discontinuities that one rounding decides, twelve runs miss some.
TEST(MonteCarlo, AFewJumpsAmongManyAreAskedForFurther) {
  const auto steps = [](std::size_t up) {
    std::vector<float> all(8, 0.0F);
    std::fill_n(all.begin(), up, 1.0F);
    return returning(floats(all));
  };
  const auto on = [&](std::size_t explained, const char* later) {
    std::vector<float> last(8, 0.0F);
    last.back() = 1.0F;
    const Recorded exact = returning(doubles(std::vector<double>(8, 0.0)));
    return verdict_on(steps(0), steps(8), &exact,
                      {{"monte_carlo_1", steps(explained)}, {later, returning(floats(last))}})
        .kind;
  };
  EXPECT_NE(on(7, "monte_carlo_20"), Verdict::Kind::kDiverge);
  EXPECT_EQ(on(4, "monte_carlo_20"), Verdict::Kind::kDiverge) << "half of them are not rounding";
  EXPECT_EQ(on(7, "monte_carlo_37"), Verdict::Kind::kDiverge) << "it ends";
}

TEST(MonteCarlo, OneWrongSmallElementBesideLargeRoundedOnes) {
  const Recorded eager = returning(floats({1.00000006e6F, 0.5F}));
  const Recorded exact = returning(doubles({1.0e6, 0.5}));
  const Recorded compiled = returning(floats({1.0e6F, 0.501F}));
  const Recorded moved = returning(floats({1.00000012e6F, 0.50000006F}));
  EXPECT_EQ(verdict_on(eager, compiled, &exact, {{"monte_carlo", moved}}).kind, Verdict::Kind::kDiverge);
}

// What is normalised may be noise alone: of 120 elements all but one are moved, by as much as they are large.
TEST(MonteCarlo, AmongNothingButNoiseOneElementMayStay) {
  const auto of = [](std::size_t staying, float wrong, float later = 0.1328125F) {
    std::vector<float> eager(120, 1.0F);
    std::vector<float> compiled(120, -1.0F);
    std::vector<float> moved(120, -1.0F);
    std::fill_n(eager.begin(), staying, 0.125F);
    std::fill_n(compiled.begin(), staying, wrong);
    std::fill_n(moved.begin(), staying, later);
    const Recorded exact = returning(doubles(std::vector<double>(eager.begin(), eager.end())));
    return verdict_on(returning(floats(eager)), returning(floats(compiled)), &exact,
                      {{"monte_carlo", returning(floats(moved))}})
        .kind;
  };
  EXPECT_EQ(of(1, 0.875F), Verdict::Kind::kUnstable);
  EXPECT_EQ(of(1, 0.875F, 0.1250001F), Verdict::Kind::kDiverge) << "this one is no noise";
  EXPECT_EQ(of(1, 100.0F), Verdict::Kind::kDiverge) << "farther off than the noise";
  EXPECT_EQ(of(40, 0.875F), Verdict::Kind::kDiverge) << "a third of them is not noise";
}

TEST(MonteCarlo, WithoutAnyRunTheWholeTensorMustDo) {
  const auto of = [](float compiled) {
    std::vector<Outcome> outcomes = {returning(floats({1.0002F, 1.0F})).outcome("eager"),
                                     returning(floats({1.0F, compiled})).outcome("compiled"),
                                     returning(doubles({1.0, 1.0})).outcome("float64")};
    for (int i = 1; i <= 4; ++i) outcomes.push_back({"monte_carlo_" + std::to_string(i), Died{"exit"}, 0});
    return verdict_of_oracle("eager_vs_compiled", test_plan(), outcomes);
  };
  EXPECT_EQ(of(1.0002F).kind, Verdict::Kind::kAgree);
  EXPECT_EQ(of(1.01F).kind, Verdict::Kind::kDiverge);
}

TEST(MonteCarlo, IntegersBoolsAndMasksThatFlipAreNotCompared) {
  const auto of = [](TensorRecord eager, TensorRecord compiled, TensorRecord moved) {
    const Recorded one = returning(std::move(eager));
    const bool floating = one.observation.tensors[0].dtype == "float32";
    const Recorded third = floating ? returning(doubles({1.0, 2.0})) : one;
    return verdict_on(one, returning(std::move(compiled)), &third, {{"monte_carlo_4", returning(std::move(moved))}});
  };
  EXPECT_EQ(of(longs({3, 1}), longs({4, 1}), longs({2, 1})).rule, "monte_carlo");
  EXPECT_EQ(of(longs({3, 1}), longs({4, 1}), longs({2, 1})).kind, Verdict::Kind::kUnstable);
  EXPECT_EQ(of(longs({3, 1}), longs({4, 1}), longs({3, 2})).kind, Verdict::Kind::kDiverge) << "another element flips";
  EXPECT_EQ(of(floats({1, 2}), floats({1, kNan}), floats({1, kInf})).kind, Verdict::Kind::kUnstable);
  EXPECT_EQ(of(floats({1, 2}), floats({1, kNan}), floats({kInf, 2})).kind, Verdict::Kind::kDiverge);
  EXPECT_EQ(of(longs({3, 1}), longs({3}), longs({3})).kind, Verdict::Kind::kUnstable) << "a shape that flips";
  EXPECT_EQ(of(longs({3, 1}), longs({3}), longs({3, 1})).kind, Verdict::Kind::kDiverge);
}

TEST(MonteCarlo, PythonValuesAndExceptionsThatFlip) {
  const Recorded three = returning(integer(3));
  EXPECT_EQ(verdict_on(three, returning(integer(4)), &three, {{"monte_carlo_11", returning(integer(4))}}).kind,
            Verdict::Kind::kDiverge)
      << "no float is to be seen: more than four runs are not made";
  EXPECT_EQ(verdict_on(three, returning(integer(4)), &three, {{"monte_carlo_3", returning(integer(2))}}).kind,
            Verdict::Kind::kUnstable);
  Recorded raising;
  raising.call().exception = exception("builtins.ValueError");
  const Answers flips = {{"monte_carlo_2", raising}};
  EXPECT_EQ(verdict_on(three, raising, nullptr, flips).rule, "monte_carlo");
  Recorded other;
  other.call().exception = exception("builtins.KeyError");
  EXPECT_EQ(verdict_on(three, raising, nullptr, {{"monte_carlo_2", other}}).kind, Verdict::Kind::kDiverge)
      << "an exception of another kind is our instrument's";
}

TEST(MonteCarlo, DtypesAndModesThatFlip) {
  const Recorded eager = returning(floats({1}));
  const Recorded compiled = returning(doubles({1}));
  EXPECT_EQ(verdict_on(eager, compiled, nullptr, {{"monte_carlo_2", compiled}}).rule, "monte_carlo");
  EXPECT_EQ(verdict_on(eager, compiled, &compiled, {{"monte_carlo", eager}}).rule, "dtype")
      << "the float64 run has another dtype by design";
  const auto drawn = [](const char* state) {
    Recorded run = returning(integer(1));
    run.call().mode["rng_torch"] = state;
    return run;
  };
  EXPECT_EQ(verdict_on(drawn("a"), drawn("b"), nullptr, {{"monte_carlo_2", drawn("b")}}).kind,
            Verdict::Kind::kUnstable);
  EXPECT_EQ(verdict_on(drawn("a"), drawn("b"), nullptr, {{"monte_carlo", drawn("a")}}).rule, "mode");
}

TEST(HigherPrecision, FailsInWaysOfItsOwn) {
  const auto failing = [](const char* message) {
    Recorded run;
    run.call().exception = exception("builtins.RuntimeError", message);
    return run;
  };
  const Recorded eager = returning(integer(3));
  const Recorded compiled = failing("index 7 is out of bounds for dimension 0 with size 5");
  const Recorded alike = failing("index 6 is out of bounds for dimension 0 with size 5");
  const Recorded other = failing("shape '[3]' is invalid for input of size 6");
  EXPECT_EQ(verdict_on(eager, compiled, &alike, {{"monte_carlo", eager}}).rule, "float64");
  EXPECT_EQ(verdict_on(eager, compiled, &other, {{"monte_carlo", eager}}).rule, "raises");
  const Recorded shown = failing("residual tensor([1.1000e-05], dtype=torch.float16, grad_fn=<DivBackward0>)");
  const Recorded infinite = failing("residual tensor([inf])");
  EXPECT_EQ(verdict_on(eager, shown, &infinite, {{"monte_carlo", eager}}).rule, "float64");
  EXPECT_EQ(verdict_on(eager, compiled, nullptr, {{"monte_carlo_2", other}}).rule, "monte_carlo")
      << "runs with moved roundings cast nothing";
}

TEST(Halves, OnlyElementsThatWereComputedInOne) {
  const auto run = [](float narrow, float wide) {
    Recorded made = returning(floats({narrow, wide}));
    made.call().inputs = sequence("tuple", {made.add(tensor_of<std::uint16_t>("bfloat16", {0x3DCD}))});
    return made;
  };
  const Recorded eager = run(0.010009766F, 0.90909094F);
  const Answers answers = {{"float32", run(0.01002693F, 0.90909094F)}, {"monte_carlo", run(0.01007F, 0.909091F)}};
  EXPECT_EQ(verdict_on(eager, run(0.01002693F, 0.90909094F), nullptr, answers).kind, Verdict::Kind::kAgree);
  const Verdict verdict = verdict_on(eager, run(0.010009766F, 0.9181F), nullptr, answers);
  EXPECT_EQ(verdict.kind, Verdict::Kind::kDiverge) << verdict.reason;
}

TEST(MonteCarlo, AFloat64RunOfAnotherFormIsNoWitness) {
  const Recorded eager = returning(sequence("tuple", {integer(1)}));
  const Recorded compiled = returning(sequence("tuple", {integer(2)}));
  const Recorded other = returning(sequence("list", {integer(1), integer(7)}));
  EXPECT_EQ(verdict_on(eager, compiled, &other).kind, Verdict::Kind::kDiverge);
}

TEST(Halves, Float32Float64AndCasts) {
  const auto half = [](std::uint16_t bits) { return returning(tensor_of<std::uint16_t>("float16", {bits})); };
  const auto judged = [&](std::uint16_t compiled, const Answers& answers) {
    Answers all = answers;
    all.emplace("float64", returning(doubles({1.0})));
    return verdict_on(half(0x3C00), half(compiled), nullptr, all);
  };
  EXPECT_EQ(judged(0x3C06, {}).kind, Verdict::Kind::kDiverge) << "six units, and nothing explains them";
  EXPECT_EQ(judged(0x3C06, {{"monte_carlo_1", half(0x3C02)}}).rule, "monte_carlo");
  EXPECT_EQ(judged(0x3C06, {{"float32", returning(floats({1.003F}))}}).rule, "float32");
  const auto cast = [&](std::uint16_t compiled, std::uint16_t casts) {
    return judged(compiled, {{"monte_carlo_1", half(0x3C01)}, {"compiled_casts", half(casts)}});
  };
  EXPECT_EQ(cast(0x3C10, 0x3C00).rule, "emulate_precision_casts");
  EXPECT_EQ(cast(0x3C10, 0x3C10).kind, Verdict::Kind::kDiverge);
  EXPECT_EQ(cast(0x3C80, 0x3C00).kind, Verdict::Kind::kDiverge) << "so far away it is not even asked";
  EXPECT_EQ(judged(0x3C80, {{"monte_carlo_1", half(0x3C02)}}).kind, Verdict::Kind::kDiverge);
}

TEST(Borderline, VanishesOnAllOtherValuesOrStays) {
  const Recorded eager = returning(floats({1.0F}));
  const Recorded compiled = returning(floats({1.0001F}));
  const Recorded exact = returning(doubles({1.0}));
  Answers answers;
  for (const char* number : {"1", "2", "3"}) {
    answers[std::string("eager_values_") + number] = returning(floats({2.0F}));
    answers[std::string("float64_values_") + number] = returning(doubles({2.0}));
    answers[std::string("compiled_values_") + number] = returning(floats({2.0F}));
  }
  const Verdict gone = verdict_on(eager, compiled, &exact, answers);
  EXPECT_EQ(gone.rule, "borderline");
  EXPECT_EQ(gone.kind, Verdict::Kind::kUnstable);
  answers["compiled_values_2"] = returning(floats({2.1F}));
  EXPECT_EQ(verdict_on(eager, compiled, &exact, answers).kind, Verdict::Kind::kDiverge) << "it grows";
  answers["compiled_values_2"] = returning(floats({2.0F}));
  EXPECT_EQ(verdict_on(eager, returning(floats({1.1F})), &exact, answers).kind, Verdict::Kind::kDiverge)
      << "a large difference may be one of special values";
  EXPECT_EQ(verdict_on(eager, returning(floats({kNan})), &exact, answers).kind, Verdict::Kind::kDiverge);
}

/// How many control runs each round asks for, for a small difference that remains.
std::vector<std::size_t> rounds_of(const Plan& plan) {
  std::vector<Outcome> outcomes = {returning(floats({1.0F})).outcome("eager"),
                                   returning(floats({1.0001F})).outcome("compiled")};
  const Oracle* oracle = find_oracle("eager_vs_compiled");
  std::vector<std::size_t> rounds;
  for (;;) {
    const Judgement judgement = oracle->judge(plan, outcomes);
    if (judgement.wanted.empty()) {
      EXPECT_EQ(judgement.verdict.kind, Verdict::Kind::kDiverge);
      return rounds;
    }
    rounds.push_back(judgement.wanted.size());
    for (const RunRequest& run : judgement.wanted)
      outcomes.push_back({run.role,
                          run.precision == "float64" ? Ending(returning(doubles({1.0})).outcome("").ending)
                          : run.compiled             ? Ending(Died{"exit"})
                                                     : outcomes.front().ending,
                          0});
  }
}

TEST(Questions, ComeTogetherAndEnd) { EXPECT_EQ(rounds_of(test_plan()), (std::vector<std::size_t>{2, 4, 4, 14, 2})); }

TEST(Questions, AreFewInABriefPlan) {
  Plan plan = test_plan();
  plan.brief = true;
  EXPECT_EQ(rounds_of(plan), std::vector<std::size_t>{2});
}

TEST(Decisions, SayWhatEachQuestionAnswered) {
  const Recorded eager = returning(floats({1.0F, 5.0F, 7.0F}));
  const Recorded exact = returning(doubles({1.0001, 5.0, 7.0}));
  const Verdict verdict = verdict_on(eager, returning(floats({1.0002F, 5.1F, 7.000001F})), &exact);
  ASSERT_EQ(verdict.kind, Verdict::Kind::kDiverge);
  ASSERT_EQ(verdict.decisions.size(), 3U);
  EXPECT_EQ(verdict.decisions[0].rule, "tolerance");
  EXPECT_EQ(verdict.decisions[1].rule, "float64");
  EXPECT_EQ(verdict.decisions[1].answer, "rounding");
  EXPECT_EQ(verdict.decisions[2].answer, "wrong");
  EXPECT_EQ(verdict.decisions[2].numbers.at("monte_carlo_runs"), 12);
  EXPECT_EQ(verdict.decisions[2].numbers.at("elements"), 1);
}

}  // namespace
}  // namespace jp::oracle::test
