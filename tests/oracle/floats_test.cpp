// Floats: bits, masks, tolerance, and the float64 run. Each rule with the nearest real bug.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/choices.h"
#include "oracle/judge/rounding.h"
#include "tests/oracle/build.h"

namespace jp::oracle::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Verdict of_floats(const std::vector<float>& eager, const std::vector<float>& compiled) {
  return verdict_on(returning(floats(eager)), returning(floats(compiled)));
}
Verdict of_floats(const std::vector<float>& eager, const std::vector<float>& compiled,
                  const std::vector<double>& float64) {
  const Recorded third = returning(doubles(float64));
  return verdict_on(returning(floats(eager)), returning(floats(compiled)), &third);
}

TEST(Floats, TheSameBitsAgree) {
  EXPECT_EQ(of_floats({1, -2, kInf, -kInf, 0}, {1, -2, kInf, -kInf, 0}).rule, "bitwise");
}

TEST(Floats, WithinTolerance) {
  const Verdict verdict = of_floats({1.0F, 100.0F}, {1.00001F, 100.0001F});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kAgree);
  EXPECT_EQ(verdict.rule, "tolerance");
}

TEST(Floats, BeyondToleranceWithoutAWitnessDiverges) {
  const Verdict verdict = of_floats({1.0F, 2.0F}, {1.0F, 2.0001F});
  ASSERT_EQ(verdict.kind, Verdict::Kind::kDiverge);
  EXPECT_EQ(verdict.rule, "monte_carlo");
  ASSERT_EQ(verdict.differences.size(), 1U);
  const Difference& difference = verdict.differences[0];
  EXPECT_EQ(difference.mismatch, Mismatch::kValue);
  EXPECT_EQ(difference.where, "output");
  EXPECT_EQ(difference.what, "float");
  EXPECT_EQ(difference.numbers.at("elements"), 1);
  EXPECT_NEAR(difference.numbers.at("max_abs"), 1e-4, 1e-6);
  EXPECT_NE(difference.reference.find("[1]"), std::string::npos) << difference.reference;
}

TEST(Floats, ZeroSignsAndNanPayloadsAreWeak) {
  const Verdict zeros = of_floats({0.0F}, {-0.0F});
  EXPECT_EQ(zeros.rule, "bitwise");
  ASSERT_EQ(zeros.weak.size(), 1U);
  EXPECT_EQ(zeros.weak[0].mismatch, Mismatch::kSignOfZero);
  const Verdict nans = of_floats({kNan}, {-kNan});
  EXPECT_EQ(nans.kind, Verdict::Kind::kAgree);
  ASSERT_EQ(nans.weak.size(), 1U);
  EXPECT_EQ(nans.weak[0].mismatch, Mismatch::kNanPayload);
}

TEST(Floats, EachDtypeHasItsOwnTolerance) {
  const auto halves = [](std::uint16_t bits) { return returning(tensor_of<std::uint16_t>("float16", {bits})); };
  EXPECT_EQ(verdict_on(halves(0x3C00), halves(0x3C01)).rule, "tolerance");  // 1 and its successor
  EXPECT_EQ(verdict_on(halves(0x3C00), halves(0x3C02)).kind, Verdict::Kind::kDiverge);
  const auto brains = [](std::uint16_t bits) { return returning(tensor_of<std::uint16_t>("bfloat16", {bits})); };
  EXPECT_EQ(verdict_on(brains(0x3F80), brains(0x3F82)).rule, "tolerance");
  EXPECT_EQ(verdict_on(brains(0x3F80), brains(0x3F83)).kind, Verdict::Kind::kDiverge);
  EXPECT_EQ(verdict_on(returning(doubles({1.0})), returning(doubles({1.0 + 1e-7}))).rule, "tolerance");
  EXPECT_EQ(verdict_on(returning(doubles({1.0})), returning(doubles({1.0 + 1e-6}))).kind, Verdict::Kind::kDiverge);
}

TEST(Floats, ComplexNumbersByTheirParts) {
  const auto complex = [](float real, float imag) {
    return returning(tensor_of<float>("complex64", {real, imag}, {1}));
  };
  EXPECT_EQ(verdict_on(complex(1, 2), complex(1, 2.000001F)).rule, "tolerance");
  const Verdict verdict = verdict_on(complex(1000, 0), complex(1000, 0.001F));
  EXPECT_EQ(verdict.kind, Verdict::Kind::kDiverge) << "a large real part must not excuse the imaginary one";
  EXPECT_EQ(verdict.differences[0].what, "complex");
}

TEST(Float64, AsNearAsEagerIsRounding) {
  EXPECT_EQ(of_floats({1.0F, 5.0F}, {1.0002F, 5.0F}, {1.0001, 5.0}).rule, "float64");
}

// Eager's rounding shows in the first element; the compiled run's in the second, where eager is exact by luck: only
// what is known of the second element itself excuses it.
TEST(Float64, EagerMayBeExactInOnePlaceByLuck) {
  const Recorded eager = returning(floats({1.0002F, 1.0F}));
  const Recorded compiled = returning(floats({1.0002F, 1.0002F}));
  const Recorded exact = returning(doubles({1.0, 1.0}));
  EXPECT_EQ(verdict_on(eager, compiled, &exact).kind, Verdict::Kind::kDiverge);
  const Recorded moved = returning(floats({1.0002F, 1.0001F}));
  EXPECT_EQ(verdict_on(eager, compiled, &exact, {{"monte_carlo_2", moved}}).rule, "monte_carlo");
  const Answers others = {{"eager_values_1", returning(floats({3.0F, 3.0002F}))},
                          {"float64_values_1", returning(doubles({3.0, 3.0}))}};
  EXPECT_EQ(verdict_on(eager, compiled, &exact, others).rule, "other_values");
}

TEST(Float64, FartherThanTwiceEagerIsWrong) {
  const Verdict verdict = of_floats({1.0F, 5.0F}, {1.001F, 5.0F}, {1.0001, 5.0});
  ASSERT_EQ(verdict.kind, Verdict::Kind::kDiverge);
  EXPECT_EQ(verdict.rule, "monte_carlo");
  EXPECT_NEAR(verdict.differences[0].numbers.at("eager_to_float64"), 1e-4, 1e-5);
  EXPECT_NEAR(verdict.differences[0].numbers.at("compiled_to_float64"), 9e-4, 1e-5);
}

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

TEST(Float64, AnElementOnAJumpIsNotComparedAndExcusesNothing) {
  // Element 0: eager fell on the other side of a floor than float64 did.
  EXPECT_EQ(of_floats({3.0F, 1.0F, 2.0F}, {5.0F, 1.0F, 2.0F}, {4.0, 1.0, 2.0}).kind, Verdict::Kind::kUnstable);
  // The same, and a real error in element 2.
  const Verdict verdict = of_floats({3.0F, 1.0F, 2.0F}, {4.0F, 1.0F, 2.5F}, {4.0, 1.0, 2.0});
  ASSERT_EQ(verdict.kind, Verdict::Kind::kDiverge);
  EXPECT_EQ(verdict.differences[0].numbers.at("elements"), 1);
}

TEST(Float64, AReferenceThatDescribesNothingIsNone) {
  EXPECT_EQ(of_floats({1.0F, 2.0F, 3.0F}, {7.0F, 8.0F, 9.0F}, {100.0, 200.0, 300.0}).kind, Verdict::Kind::kUnstable);
}

TEST(Float64, EagerWrongIsNeverAFinding) {
  const Verdict verdict = of_floats({1.0F, 2.5F}, {1.0F, 2.0F}, {1.0, 2.0});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kAgree);
  EXPECT_EQ(verdict.rule, "eager_wrong");
  ASSERT_EQ(verdict.weak.size(), 1U);
  EXPECT_EQ(verdict.weak[0].what, "eager_wrong");
  // The nearest real bug: the compiled run is the one that is off.
  EXPECT_EQ(of_floats({1.0F, 2.0F}, {1.0F, 2.5F}, {1.0, 2.0}).kind, Verdict::Kind::kDiverge);
}

TEST(Masks, ANanOnOneSideDiverges) {
  const Verdict verdict = of_floats({1.0F, 2.0F}, {1.0F, kNan}, {1.0, 2.0});
  ASSERT_EQ(verdict.kind, Verdict::Kind::kDiverge);
  EXPECT_EQ(verdict.rule, "nonfinite");
  EXPECT_EQ(verdict.differences[0].what, "float mask");
  EXPECT_EQ(of_floats({kInf}, {-kInf}, {std::numeric_limits<double>::infinity()}).kind, Verdict::Kind::kDiverge);
  EXPECT_EQ(of_floats({kNan}, {0.0F}, {std::nan("")}).kind, Verdict::Kind::kDiverge);
}

TEST(Masks, NotJudgedWhereEagerItselfMovesWithPrecision) {
  EXPECT_EQ(of_floats({kNan, 1.0F}, {kInf, 1.0F}, {3.0, 1.0}).kind, Verdict::Kind::kUnstable);
  EXPECT_EQ(of_floats({kInf, 1.0F}, {3.0F, 1.0F}, {3.0, 1.0}).rule, "eager_wrong");
}

TEST(Masks, OverflowIsThatOfTheNarrowType) {
  // 1e39 is finite in float64 and infinite in float32: eager's Inf is right, the compiled number is not.
  EXPECT_EQ(of_floats({kInf}, {7.0F}, {1e39}).kind, Verdict::Kind::kDiverge);
  // At the border either is right.
  EXPECT_EQ(of_floats({3.4028234e38F}, {kInf}, {3.4028235e38}).kind, Verdict::Kind::kUnstable);
}

TEST(PythonFloats, ToleranceOfFloat64UnlessTheyComeFromNarrowTensors) {
  EXPECT_EQ(verdict_on(returning(number(1.0)), returning(number(1.0))).rule, "bitwise");
  const Recorded exact = returning(number(0.5));
  EXPECT_EQ(verdict_on(exact, returning(number(0.50001)), &exact).kind, Verdict::Kind::kDiverge);
  const Recorded narrow = returning(number(0.500002));
  EXPECT_EQ(verdict_on(returning(number(0.5)), returning(number(0.500004)), &narrow).kind, Verdict::Kind::kAgree);
  EXPECT_EQ(verdict_on(returning(number(0.5)), returning(number(0.6)), &narrow).kind, Verdict::Kind::kDiverge);
}

TEST(PythonFloats, NanAndInfinity) {
  const Recorded nan = returning(number(std::nan("")));
  EXPECT_EQ(verdict_on(nan, nan).rule, "bitwise");
  const Recorded one = returning(number(1));
  EXPECT_EQ(verdict_on(one, nan, &one).rule, "nonfinite");
  EXPECT_EQ(verdict_on(one, returning(number(kInf)), &one).kind, Verdict::Kind::kDiverge);
}

TEST(Property, RoundingToTheTypeIsNeverWrong) {
  Choices choices(20);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> exact;
    std::vector<float> eager;
    std::vector<float> compiled;
    const double scale = std::pow(10.0, static_cast<double>(choices.between(-6, 6)));
    for (int i = 0; i < 8; ++i) {
      exact.push_back((choices.unit() - 0.5) * scale);
      eager.push_back(static_cast<float>(exact.back() * (1 + 0x1p-20 * (choices.unit() - 0.5))));
      compiled.push_back(static_cast<float>(exact.back() * (1 + 0x1p-20 * (choices.unit() - 0.5))));
    }
    EXPECT_NE(of_floats(eager, compiled, exact).kind, Verdict::Kind::kDiverge) << round;
  }
}

TEST(Property, OneElementFarOffIsAlwaysFound) {
  Choices choices(21);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> exact;
    std::vector<float> eager;
    for (int i = 0; i < 8; ++i) {
      exact.push_back((choices.unit() - 0.5) * 10);
      eager.push_back(static_cast<float>(exact.back()));
    }
    std::vector<float> compiled = eager;
    compiled[choices.below(8)] += 0.01F;
    EXPECT_EQ(of_floats(eager, compiled, exact).kind, Verdict::Kind::kDiverge) << round;
  }
}

}  // namespace
}  // namespace jp::oracle::test
