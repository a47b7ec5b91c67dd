// Bounds of shapes and intervals on cases worked out by hand.
#include "seedgen/types/types.h"

#include <gtest/gtest.h>

#include "seedgen/draw/want.h"
#include "seedgen/types/interval.h"

namespace jp::seedgen {
namespace {

TEST(Shapes, BroadcastsAreBounded) {
  EXPECT_EQ(broadcast({3, 1}, {4}), (Shape{3, 4}));
  EXPECT_EQ(broadcast({1000, 1}, {1000}), std::nullopt) << "too large";
  EXPECT_EQ(broadcast({1000, 1, 0}, {1000, 0}), std::nullopt) << "too large but for the empty dimension";
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
    EXPECT_LE(element_count(shape), kMaxArgumentElements);
    for (const ShapeWant& want : {ShapeWant::any(1, 3, 2), ShapeWant::broadcasting(shape), ShapeWant::into(shape),
                                  ShapeWant::pattern({-1, 3, -1}, 1), ShapeWant::exactly(shape)})
      EXPECT_TRUE(want.fits(want.draw(choices)));
  }
}

}  // namespace
}  // namespace jp::seedgen
