#include "oracle/judge/elements.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/half.h"
#include "tests/oracle/build.h"

namespace jp::oracle {
namespace {

TEST(Elements, HalfAgainstKnownValues) {
  EXPECT_EQ(half_to_double(0x0000), 0.0);
  EXPECT_TRUE(std::signbit(half_to_double(0x8000)));
  EXPECT_EQ(half_to_double(0x3C00), 1.0);
  EXPECT_EQ(half_to_double(0xC000), -2.0);
  EXPECT_EQ(half_to_double(0x7BFF), 65504.0);
  EXPECT_EQ(half_to_double(0x0400), 0x1p-14);
  EXPECT_EQ(half_to_double(0x0001), 0x1p-24);
  EXPECT_EQ(half_to_double(0x03FF), 1023 * 0x1p-24);
  EXPECT_EQ(half_to_double(0x3555), 0.333251953125);
  EXPECT_EQ(half_to_double(0x7C00), std::numeric_limits<double>::infinity());
  EXPECT_EQ(half_to_double(0xFC00), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(half_to_double(0x7E00)));
}

TEST(Elements, HalfIsMonotoneOverAllFinitePatterns) {
  for (std::uint16_t bits = 1; bits < 0x7C00; ++bits)
    ASSERT_LT(half_to_double(static_cast<std::uint16_t>(bits - 1)), half_to_double(bits)) << bits;
}

TEST(Elements, Bfloat16IsTheUpperHalfOfAFloat) {
  EXPECT_EQ(bfloat16_to_double(0x3F80), 1.0);
  EXPECT_EQ(bfloat16_to_double(0xC049), -3.140625);
  EXPECT_EQ(bfloat16_to_double(0x0001), std::ldexp(1.0, -133));
  EXPECT_TRUE(std::isinf(bfloat16_to_double(0x7F80)));
  EXPECT_TRUE(std::isnan(bfloat16_to_double(0x7FC0)));
}

TEST(Elements, ShowsEachKind) {
  EXPECT_EQ(Elements::of(test::floats({1.5F}))->show(0), "1.5");
  EXPECT_EQ(Elements::of(test::longs({-7, 3}))->show(0), "-7");
  EXPECT_EQ(Elements::of(test::tensor_of<std::uint8_t>("bool", {1}))->show(0), "True");
  EXPECT_EQ(Elements::of(test::tensor_of<std::uint8_t>("uint8", {200}))->show(0), "200");
  EXPECT_EQ(Elements::of(test::tensor_of<float>("complex64", {1, -2}, {1}))->show(0), "(1-2j)");
  EXPECT_EQ(Elements::of(test::tensor_of<std::uint16_t>("uint16", {0x1234}))->show(0), "0x1234");
}

TEST(Elements, EmptyTensorsAndThoseWithoutDimensions) {
  const TensorRecord of_none = test::floats({}, {2, 0, 3});
  const TensorRecord of_one = test::floats({2.5F}, {});
  const auto empty = Elements::of(of_none);
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->count(), 0U);
  const auto single = Elements::of(of_one);
  ASSERT_TRUE(single);
  EXPECT_EQ(single->count(), 1U);
  EXPECT_EQ(single->number(0), 2.5);
}

TEST(Elements, RefusesRecordsThatDoNotFit) {
  TensorRecord record = test::floats({1, 2, 3});
  record.bytes.pop_back();
  EXPECT_FALSE(Elements::of(record));
  record = test::floats({1, 2, 3});
  record.shape = {4};
  EXPECT_FALSE(Elements::of(record));
  record = test::floats({});
  record.shape = {0, -1};
  EXPECT_FALSE(Elements::of(record));
  record = test::floats({1});
  record.shape = {1LL << 40, 1LL << 40};
  EXPECT_FALSE(Elements::of(record));
  record = test::floats({1});
  record.unreadable = "layout torch.sparse_coo";
  EXPECT_FALSE(Elements::of(record));
}

TEST(Elements, Position) {
  EXPECT_EQ(position(test::floats({1, 2, 3, 4, 5, 6}, {2, 3}), 4), "[1, 1]");
  EXPECT_EQ(position(test::floats({1}, {}), 0), "");
}

}  // namespace
}  // namespace jp::oracle
