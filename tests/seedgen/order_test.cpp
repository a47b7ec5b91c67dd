// The order of harvested calls.
#include "seedgen/harvest/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace jp::seedgen {
namespace {

using Kind = ParameterValue::Kind;

ParameterValue integer(std::int64_t value) { return {.kind = Kind::kInteger, .integer = value}; }
ParameterValue number(double value) { return {.kind = Kind::kFloat, .number = value}; }
ParameterValue word(std::string text) { return {.kind = Kind::kWord, .word = std::move(text)}; }
ParameterValue tensor(std::string dtype, std::vector<std::int64_t> shape) {
  return {.kind = Kind::kTensor, .word = std::move(dtype), .shape = std::move(shape)};
}
ParameterValue list(std::vector<ParameterValue> items) { return {.kind = Kind::kList, .items = std::move(items)}; }

std::vector<std::size_t> ordered(const OrderInput& input, OrderBy by, std::uint64_t seed = 1) {
  Choices choices(seed);
  return order(input, by, choices);
}

TEST(ValueClass, IntegersFallIntoFive) {
  EXPECT_EQ(value_class(integer(-7)), value_class(integer(-2)));
  EXPECT_EQ(value_class(integer(9)), value_class(integer(2)));
  for (std::int64_t value = -2; value < 2; ++value)
    EXPECT_NE(value_class(integer(value)), value_class(integer(value + 1)));
}

TEST(ValueClass, FloatsBySignAndApartFromIntegers) {
  EXPECT_EQ(value_class(number(-0.5)), value_class(number(-3)));
  EXPECT_EQ(value_class(number(0.0)), value_class(number(-0.0)));
  EXPECT_NE(value_class(number(0.0)), value_class(integer(0)));
  EXPECT_NE(value_class(number(std::nan(""))), value_class(number(0.0)));
}

TEST(ValueClass, EnumerationsByValue) {
  EXPECT_EQ(value_class(word("mean")), value_class(word("mean")));
  EXPECT_NE(value_class(word("mean")), value_class(word("sum")));
  EXPECT_NE(value_class(word("none")), value_class(ParameterValue{}));
}

TEST(ValueClass, TensorsByDtypeRankAndSizes) {
  EXPECT_EQ(value_class(tensor("float32", {2, 1})), value_class(tensor("float32", {5, 1})));
  EXPECT_NE(value_class(tensor("float32", {2, 1})), value_class(tensor("float64", {2, 1})));
  EXPECT_NE(value_class(tensor("float32", {2, 1})), value_class(tensor("float32", {2, 0})));
  EXPECT_NE(value_class(tensor("float32", {2})), value_class(tensor("float32", {2, 2})));
  EXPECT_NE(value_class(tensor("float32", {})), value_class(list({})));
}

TEST(ValueTraits, EachByItself) {
  using Traits = std::vector<std::string>;
  EXPECT_EQ(value_traits(tensor("float32", {2, 1, 0})), (Traits{"float32", "rank 3", "size 0", "size 1"}));
  EXPECT_EQ(value_traits(tensor("bool", {})), (Traits{"bool", "rank 0"}));
  EXPECT_EQ(value_traits(integer(7)), Traits{value_class(integer(2))});
  EXPECT_EQ(value_traits(list({integer(7), integer(0)})), (Traits{"items >=2", ">=2", "0"}));
}

TEST(ValueClass, ListsByTheirItemsInOrder) {
  EXPECT_EQ(value_class(list({integer(3), integer(0)})), value_class(list({integer(2), integer(0)})));
  EXPECT_NE(value_class(list({integer(3), integer(0)})), value_class(list({integer(0), integer(3)})));
  EXPECT_NE(value_class(list({integer(3)})), value_class(integer(3)));
}

Instance call(std::string op, std::vector<Parameter> parameters) { return {"", std::move(op), std::move(parameters)}; }

// roll twice with the same classes, then with another; relu once.
OrderInput small() {
  return {.instances = {call("roll", {{"shifts", integer(2)}, {"dims", integer(0)}}),
                        call("roll", {{"shifts", integer(3)}, {"dims", integer(0)}}),
                        call("roll", {{"shifts", integer(-5)}, {"dims", integer(0)}}),
                        call("relu", {{"input", tensor("float32", {3})}})},
          .library = {{"roll", 4}, {"relu", 40}},
          .compiler = {{"relu", 9}}};
}

TEST(Order, OperaTakesWhatIsCalledOftenAndTestedSeldom) {
  // roll: 4 / 1; relu: 40 / 10. Equal, so the first keeps its place; then what roll adds: two of three, 8/3; so relu
  // before it.
  EXPECT_EQ(ordered(small(), OrderBy::kOpera), (std::vector<std::size_t>{0, 3, 2, 1}));
  OrderInput tested = small();
  tested.compiler["roll"] = 100;
  EXPECT_EQ(ordered(tested, OrderBy::kOpera).front(), 3U);
}

TEST(Order, ScoresOfAnOperatorAreRenewed) {
  OrderInput often = small();
  often.library["roll"] = 4000;
  // roll's second class is still worth more than relu; its repetition, covering nothing, comes last of all.
  EXPECT_EQ(ordered(often, OrderBy::kOpera), (std::vector<std::size_t>{0, 2, 3, 1}));
}

TEST(Order, PartsAlone) {
  EXPECT_EQ(ordered(small(), OrderBy::kParameter), (std::vector<std::size_t>{0, 3, 2, 1}));
  EXPECT_EQ(ordered(small(), OrderBy::kSignature), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(ordered(small(), OrderBy::kTotal), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(ordered(small(), OrderBy::kAdditional), (std::vector<std::size_t>{0, 2, 3, 1}));
}

TEST(Order, DispatchedCallsCountAcrossOperators) {
  // softmax is exp and sum, logsumexp too; relu is an operator of its own.
  OrderInput input{.instances = {call("relu", {}), call("softmax", {}), call("logsumexp", {}), call("abs", {})},
                   .dispatched = {{"aten.relu", {{"self", tensor("float32", {3})}}},
                                  {"aten.exp", {{"self", tensor("float32", {3})}}},
                                  {"aten.sum", {{"self", tensor("float32", {3})}, {"dim", list({integer(0)})}}}},
                   .library = {},
                   .compiler = {}};
  input.instances[0].dispatched = {0};
  input.instances[1].dispatched = {1, 2};
  input.instances[2].dispatched = {1, 2};
  // All of logsumexp is covered by softmax; what dispatches to nothing comes last, also when the covered set is
  // cleared.
  EXPECT_EQ(ordered(input, OrderBy::kDispatched), (std::vector<std::size_t>{1, 0, 2, 3}));
  input.dispatched.push_back({"aten.sum", {{"self", tensor("float32", {1, 3})}, {"dim", list({integer(-1)})}}});
  input.instances[2].dispatched = {1, 3};
  // Now logsumexp has nine (its sum a size of 1 more), and leaves softmax a rank and a dim: fewer than relu's three.
  EXPECT_EQ(ordered(input, OrderBy::kDispatched), (std::vector<std::size_t>{2, 0, 1, 3}));
}

TEST(Order, WhatIsLeftIsOrderedAgainInTheSameWay) {
  OrderInput input;
  for (int i = 0; i < 3; ++i) {
    input.instances.push_back(call("relu", {}));
    input.instances.push_back(call("abs", {}));
  }
  EXPECT_EQ(ordered(input, OrderBy::kParameter), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
  input.library["abs"] = 5;
  EXPECT_EQ(ordered(input, OrderBy::kOpera), (std::vector<std::size_t>{1, 0, 3, 2, 5, 4}));
}

TEST(Order, PairsCountAsParametersDo) {
  // The third consists of classes that were covered, but not together.
  const OrderInput input{.instances = {call("f", {{"a", integer(0)}, {"b", integer(0)}}),
                                       call("f", {{"a", integer(1)}, {"b", integer(1)}}),
                                       call("f", {{"a", integer(0)}, {"b", integer(0)}}),
                                       call("f", {{"a", integer(0)}, {"b", integer(1)}})},
                         .library = {},
                         .compiler = {}};
  EXPECT_EQ(ordered(input, OrderBy::kParameter), (std::vector<std::size_t>{0, 1, 3, 2}));
}

TEST(Order, EveryOrderGivesEachPlaceOnce) {
  OrderInput input;
  Choices draws(3);
  for (int i = 0; i < 200; ++i)
    input.instances.push_back(
        call("op" + std::to_string(draws.below(9)), {{"a", integer(draws.between(-3, 3))},
                                                     {"b", number(draws.unit() - 0.5)},
                                                     {"c", tensor("int64", {draws.between(0, 3)})}}));
  for (std::uint64_t i = 0; i < 9; ++i) input.library["op" + std::to_string(i)] = draws.below(1 << 20);
  for (const OrderBy by : all_orders()) {
    std::vector<std::size_t> places = ordered(input, by);
    EXPECT_EQ(places, ordered(input, by)) << order_name(by);
    std::sort(places.begin(), places.end());
    for (std::size_t i = 0; i < places.size(); ++i) ASSERT_EQ(places[i], i) << order_name(by);
    ASSERT_EQ(places.size(), input.instances.size());
    EXPECT_EQ(order_of(order_name(by)), by);
    EXPECT_TRUE(ordered({}, by).empty());
  }
  EXPECT_NE(ordered(input, OrderBy::kRandom, 1), ordered(input, OrderBy::kRandom, 2));
  EXPECT_FALSE(order_of("melt"));
}

}  // namespace
}  // namespace jp::seedgen
