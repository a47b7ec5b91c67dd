// Floats: bits, masks, tolerance, and the float64 run. Each rule with the nearest real bug.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/choices.h"
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
