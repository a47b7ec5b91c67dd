// Promotion, broadcasting and intervals on cases worked out by hand.
#include "seedgen/types/types.h"

#include <gtest/gtest.h>

#include "seedgen/draw/want.h"
#include "seedgen/types/interval.h"

namespace jp::seedgen {
namespace {

constexpr Operand tensor(Dtype dtype) { return {Operand::Kind::kTensor, dtype}; }
constexpr Operand zero_dim(Dtype dtype) { return {Operand::Kind::kZeroDim, dtype}; }
constexpr Operand number(Dtype dtype) { return {Operand::Kind::kNumber, dtype}; }

TEST(Promotion, OfTensors) {
  EXPECT_EQ(promote(Dtype::kUInt8, Dtype::kInt8), Dtype::kInt16);
  EXPECT_EQ(promote(Dtype::kInt32, Dtype::kUInt8), Dtype::kInt32);
  EXPECT_EQ(promote(Dtype::kFloat16, Dtype::kBFloat16), Dtype::kFloat32);
  EXPECT_EQ(promote(Dtype::kInt64, Dtype::kFloat16), Dtype::kFloat16);
  EXPECT_EQ(promote(Dtype::kBool, Dtype::kInt8), Dtype::kInt8);
  for (Dtype a : all_dtypes())
    for (Dtype b : all_dtypes()) EXPECT_EQ(promote(a, b), promote(b, a));
}

TEST(Promotion, OfComplexNumbers) {
  EXPECT_EQ(promote(Dtype::kFloat16, Dtype::kComplex64), Dtype::kComplex64);
  EXPECT_EQ(promote(Dtype::kFloat64, Dtype::kComplex64), Dtype::kComplex128);
  EXPECT_EQ(result_type(tensor(Dtype::kFloat64), number(Dtype::kComplex64)), Dtype::kComplex128);
  EXPECT_EQ(result_type(tensor(Dtype::kInt64), zero_dim(Dtype::kComplex128)), Dtype::kComplex128);
  EXPECT_EQ(result_type(tensor(Dtype::kComplex64), zero_dim(Dtype::kFloat64)), Dtype::kComplex64);
  EXPECT_EQ(common_type(tensor(Dtype::kBFloat16), number(Dtype::kComplex64)), Dtype::kComplex64);
  EXPECT_EQ(common_type(tensor(Dtype::kFloat16), tensor(Dtype::kComplex64)), Dtype::kComplex64);
  EXPECT_EQ(common_type(tensor(Dtype::kFloat16), number(Dtype::kComplex64)), std::nullopt) << "complex32 in torch";
  EXPECT_EQ(common_type(zero_dim(Dtype::kComplex64), tensor(Dtype::kFloat16)), std::nullopt);
}

TEST(Promotion, DimensionsBeatZeroDimsBeatNumbers) {
  EXPECT_EQ(result_type(tensor(Dtype::kInt8), zero_dim(Dtype::kInt64)), Dtype::kInt8);
  EXPECT_EQ(result_type(tensor(Dtype::kInt32), zero_dim(Dtype::kFloat64)), Dtype::kFloat64);
  EXPECT_EQ(result_type(tensor(Dtype::kFloat16), zero_dim(Dtype::kFloat64)), Dtype::kFloat16);
  EXPECT_EQ(result_type(tensor(Dtype::kBool), number(Dtype::kInt64)), Dtype::kInt64);
  EXPECT_EQ(result_type(tensor(Dtype::kUInt8), number(Dtype::kFloat32)), Dtype::kFloat32);
  EXPECT_EQ(result_type(zero_dim(Dtype::kFloat16), number(Dtype::kFloat32)), Dtype::kFloat16);
}

TEST(Shapes, Broadcast) {
  EXPECT_EQ(broadcast({3, 1}, {4}), (Shape{3, 4}));
  EXPECT_EQ(broadcast({}, {2, 0}), (Shape{2, 0}));
  EXPECT_EQ(broadcast({0}, {1}), (Shape{0}));
  EXPECT_EQ(broadcast({3}, {4}), std::nullopt);
  EXPECT_EQ(broadcast({1000, 1}, {1000}), std::nullopt) << "too large";
  EXPECT_TRUE(expands_to({1, 4}, {2, 3, 4}));
  EXPECT_FALSE(expands_to({2, 3, 4}, {3, 4}));
}

TEST(Shapes, Strides) {
  EXPECT_EQ(contiguous_strides({2, 3, 4}), (Strides{12, 4, 1}));
  EXPECT_EQ(contiguous_strides({}), Strides{});
  Value value;
  value.shape = {2, 1, 3};
  value.strides = {3, 77, 1};
  EXPECT_FALSE(is_contiguous(value)) << "strides not known";
  value.strides_known = true;
  EXPECT_TRUE(is_contiguous(value)) << "a size of 1 has no stride";
  value.strides = {1, 1, 2};
  EXPECT_FALSE(is_contiguous(value));
}

TEST(Ints, InsertAndErase) {
  Ints ints = {1, 2, 3};
  ints.insert(1, 9);
  EXPECT_EQ(ints, (Ints{1, 9, 2, 3}));
  ints.erase(0);
  EXPECT_EQ(ints, (Ints{9, 2, 3}));
}

TEST(Intervals, Arithmetic) {
  EXPECT_EQ((Interval{-1, 2} + Interval{3, 4}), (Interval{2, 6}));
  EXPECT_EQ((Interval{-1, 2} - Interval{3, 4}), (Interval{-5, -1}));
  EXPECT_EQ((Interval{-1, 2} * Interval{-3, 4}), (Interval{-6, 8}));
  EXPECT_EQ(quotient({-1, 2}, {0.5, 4}), (Interval{-2, 4}));
  EXPECT_EQ(magnitude({-3, 2}), (Interval{0, 3}));
  EXPECT_EQ(sum_of({-1, 2}, 3), (Interval{-3, 6}));
  EXPECT_EQ(sum_of({1, 2}, 3, false), (Interval{0, 6}));
  EXPECT_EQ(clip({-8, 8}, {0, 2}), (Interval{0, 2}));
  EXPECT_EQ(clip({5, 8}, {0, 2}), (Interval{2, 2}));
}

TEST(Intervals, OfComplexNumbers) {
  ComplexBound ones = bound_of(Dtype::kComplex64, {1, 1});
  EXPECT_DOUBLE_EQ(ones.least, ones.most);
  EXPECT_DOUBLE_EQ(ones.most * ones.most, 2);
  ComplexBound real = bound_of(Dtype::kFloat32, {-3, -2});
  EXPECT_EQ(real.parts, (Interval{-3, 0})) << "the imaginary part is 0";
  EXPECT_EQ(real.least, 2);
  EXPECT_EQ(real.most, 3);
  EXPECT_EQ(complex_product({1, 2}, {1, 2}), (Interval{-3, 8}));
  EXPECT_EQ(of_number(Dtype::kComplex64, 2), (Interval{0, 2}));
  EXPECT_EQ(of_number(Dtype::kFloat32, 2), (Interval{2, 2}));
}

TEST(Intervals, RoundingWidensAndKeepsSigns) {
  for (Dtype dtype : {Dtype::kFloat16, Dtype::kBFloat16, Dtype::kFloat32, Dtype::kFloat64}) {
    Interval wide = rounded({0, 1}, dtype);
    EXPECT_EQ(wide.low, 0) << "what is not negative stays so";
    EXPECT_GT(wide.high, 1);
    EXPECT_LT(wide.high, 1.1);
    EXPECT_LT(rounded({-1e-6, 1}, dtype).low, -epsilon(dtype)) << "a difference errs by its terms, not by itself";
  }
  EXPECT_EQ(rounded({1e-7, 1}, Dtype::kFloat16).low, 0) << "below the least normal number";
  EXPECT_EQ(rounded({-1.5, 2.5}, Dtype::kInt32), (Interval{-2, 3}));
}

TEST(Shapes, DrawnOnesFit) {
  Choices choices(1);
  for (int i = 0; i < 2000; ++i) {
    Shape shape = ShapeWant::any().draw(choices);
    EXPECT_LE(numel(shape), kMaxArgumentElements);
    for (const ShapeWant& want : {ShapeWant::any(1, 3, 2), ShapeWant::broadcasting(shape), ShapeWant::into(shape),
                                  ShapeWant::pattern({-1, 3, -1}, 1), ShapeWant::exactly(shape)})
      EXPECT_TRUE(want.fits(want.draw(choices)));
  }
}

}  // namespace
}  // namespace jp::seedgen
