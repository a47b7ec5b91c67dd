// Promotion, broadcasting and strides on cases worked out by hand; check_types.py holds all pairs against eager.
#include <gtest/gtest.h>

#include "core/broadcast.h"
#include "core/graph.h"
#include "core/promotion.h"
#include "core/tensor_type.h"

namespace jp {
namespace {

using Sizes = std::vector<std::int64_t>;

PromotionOperand tensor(Dtype dtype) { return PromotionOperand::tensor(dtype, 1); }
PromotionOperand zero_dim(Dtype dtype) { return PromotionOperand::tensor(dtype, 0); }
PromotionOperand number(Dtype dtype) { return PromotionOperand::number(dtype); }

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
  EXPECT_EQ(promote({tensor(Dtype::kInt64), number(Dtype::kComplex128)}), Dtype::kComplex64) << "x + 1j";
  EXPECT_EQ(promote({tensor(Dtype::kFloat64), number(Dtype::kComplex64)}), Dtype::kComplex128);
  EXPECT_EQ(promote({tensor(Dtype::kInt64), zero_dim(Dtype::kComplex128)}), Dtype::kComplex128);
  EXPECT_EQ(promote({tensor(Dtype::kComplex64), zero_dim(Dtype::kFloat64)}), Dtype::kComplex64);
  EXPECT_EQ(promote({tensor(Dtype::kBFloat16), number(Dtype::kComplex64)}), Dtype::kComplex64);
  EXPECT_EQ(promote({tensor(Dtype::kFloat16), tensor(Dtype::kComplex64)}), Dtype::kComplex64);
  EXPECT_EQ(promote({tensor(Dtype::kFloat16), number(Dtype::kComplex64)}), std::nullopt) << "complex32 in torch";
  EXPECT_EQ(promote({zero_dim(Dtype::kComplex64), tensor(Dtype::kFloat16)}), std::nullopt);
  EXPECT_EQ(promote({tensor(Dtype::kFloat64), zero_dim(Dtype::kFloat16), number(Dtype::kComplex64)}),
            Dtype::kComplex128)
      << "complex32 on the way";
}

TEST(Promotion, DimensionsBeatZeroDimsBeatNumbers) {
  EXPECT_EQ(promote({tensor(Dtype::kInt8), zero_dim(Dtype::kInt64)}), Dtype::kInt8);
  EXPECT_EQ(promote({tensor(Dtype::kInt32), zero_dim(Dtype::kFloat64)}), Dtype::kFloat64);
  EXPECT_EQ(promote({tensor(Dtype::kFloat16), zero_dim(Dtype::kFloat64)}), Dtype::kFloat16);
  EXPECT_EQ(promote({tensor(Dtype::kBool), number(Dtype::kInt64)}), Dtype::kInt64);
  EXPECT_EQ(promote({tensor(Dtype::kUInt8), number(Dtype::kFloat64)}), Dtype::kFloat32);
  EXPECT_EQ(promote({zero_dim(Dtype::kFloat16), number(Dtype::kFloat32)}), Dtype::kFloat16);
  EXPECT_EQ(promote({number(Dtype::kInt64), number(Dtype::kFloat64)}), Dtype::kFloat32);
  EXPECT_EQ(promote({}), std::nullopt);
}

TEST(Promotion, NumbersAreAsWideAsTheDefaultDtype) {
  EXPECT_EQ(promote({tensor(Dtype::kInt64), number(Dtype::kFloat64)}, Dtype::kFloat64), Dtype::kFloat64);
  EXPECT_EQ(promote({tensor(Dtype::kInt64), number(Dtype::kComplex64)}, Dtype::kFloat64), Dtype::kComplex128);
  EXPECT_EQ(promote({tensor(Dtype::kFloat32), number(Dtype::kFloat64)}, Dtype::kFloat64), Dtype::kFloat32);
  EXPECT_EQ(promote({tensor(Dtype::kInt64), number(Dtype::kComplex64)}, Dtype::kFloat16), std::nullopt);
}

TEST(Shapes, Broadcast) {
  EXPECT_EQ(broadcast_shapes(Sizes{3, 1}, Sizes{4}), (Sizes{3, 4}));
  EXPECT_EQ(broadcast_shapes(Sizes{}, Sizes{2, 0}), (Sizes{2, 0}));
  EXPECT_EQ(broadcast_shapes(Ints{0}, Ints{1}), (Ints{0}));
  EXPECT_EQ(broadcast_shapes(Ints{3}, Ints{4}), std::nullopt);
  EXPECT_TRUE(expands_to(Sizes{1, 4}, Sizes{2, 3, 4}));
  EXPECT_FALSE(expands_to(Sizes{2, 3, 4}, Sizes{3, 4}));
  EXPECT_FALSE(expands_to(Sizes{2, 3}, Sizes{1, 3}));
}

TEST(Shapes, Strides) {
  EXPECT_EQ(contiguous_strides(Ints{2, 3, 4}), (Ints{12, 4, 1}));
  EXPECT_EQ(contiguous_strides(Sizes{}), Sizes{});
  EXPECT_EQ(contiguous_strides(Sizes{3, 0}), (Sizes{1, 1}));
  GraphValue value;
  value.shape = {2, 1, 3};
  value.strides = {3, 77, 1};
  EXPECT_FALSE(is_contiguous(value)) << "strides not known";
  value.strides_known = true;
  EXPECT_TRUE(is_contiguous(value)) << "a size of 1 has no stride";
  value.strides = {1, 1, 2};
  EXPECT_FALSE(is_contiguous(value));
  EXPECT_TRUE(is_contiguous(Sizes{3, 0}, Sizes{5, 7})) << "nothing lies anywhere";
  EXPECT_FALSE(is_row_major(Sizes{3, 0}, Sizes{5, 7}));
}

TEST(Shapes, PlacesInMemory) {
  EXPECT_TRUE(is_non_overlapping_and_dense(Sizes{2, 3, 4}, Sizes{4, 8, 1}));
  EXPECT_FALSE(is_non_overlapping_and_dense(Sizes{2, 2}, Sizes{3, 0})) << "four places, two of them in use";
  EXPECT_EQ(overlaps_itself(Sizes{2, 2}, Sizes{1, 1}), true);
  EXPECT_EQ(overlaps_itself(Sizes{3, 2}, Sizes{2, 3}), false) << "0 3 2 5 4 7";
  EXPECT_EQ(overlaps_itself(Sizes{4, 3}, Sizes{2, 3}), true) << "6 is three steps of 2 and two of 3";
  EXPECT_EQ(overlaps_itself(Sizes{5000, 2}, Sizes{2, 1}), false) << "each inside the next";
  EXPECT_EQ(overlaps_itself(Sizes{5000, 3}, Sizes{2, 3}), std::nullopt) << "too many to try";
}

TEST(Shapes, CountsOfWhatComesFromOutside) {
  EXPECT_EQ(checked_element_count(Sizes{}), 1);
  EXPECT_EQ(checked_element_count(Sizes{0, 3}), 0);
  EXPECT_EQ(checked_element_count(Sizes{2, -1}), std::nullopt);
  EXPECT_EQ(checked_element_count(Sizes{1L << 40, 1L << 40}), std::nullopt);
}

}  // namespace
}  // namespace jp
