// Sets of values as bits, against std::set.
#include "seedgen/types/value_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "core/choices.h"

namespace jp::seedgen {
namespace {

constexpr int kValues = 200;

struct Both {
  ValueSet bits;
  std::set<int> plain;
};

Both drawn(Choices& choices) {
  Both both;
  for (std::uint64_t i = choices.below(kValues); i > 0; --i) {
    const auto id = static_cast<int>(choices.below(kValues));
    both.bits.add(id);
    both.plain.insert(id);
  }
  for (std::uint64_t i = choices.below(20); i > 0; --i) {
    const auto id = static_cast<int>(choices.below(2 * kValues));
    both.bits.drop(id);
    both.plain.erase(id);
  }
  return both;
}

std::set<int> listed(const ValueSet& bits) {
  std::set<int> list;
  for (std::size_t i = 0; i < bits.count(); ++i) list.insert(bits.at(i));
  return list;
}

TEST(ValueSet, IsASet) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Choices choices(seed);
    const Both one = drawn(choices);
    const Both other = drawn(choices);
    ASSERT_EQ(listed(one.bits), one.plain);
    EXPECT_EQ(one.bits.empty(), one.plain.empty());
    for (int id = 0; id < 2 * kValues; ++id) ASSERT_EQ(one.bits.has(id), one.plain.contains(id));
    std::set<int> common;
    std::set<int> all;
    std::set<int> rest;
    auto into = [](std::set<int>& set) { return std::inserter(set, set.end()); };
    std::set_intersection(one.plain.begin(), one.plain.end(), other.plain.begin(), other.plain.end(), into(common));
    std::set_union(one.plain.begin(), one.plain.end(), other.plain.begin(), other.plain.end(), into(all));
    std::set_difference(one.plain.begin(), one.plain.end(), other.plain.begin(), other.plain.end(), into(rest));
    auto with = [&](auto change) {
      ValueSet bits = one.bits;
      change(bits);
      return bits;
    };
    EXPECT_EQ(listed(with([&](ValueSet& bits) { bits &= other.bits; })), common);
    EXPECT_EQ(listed(with([&](ValueSet& bits) { bits |= other.bits; })), all);
    EXPECT_EQ(listed(with([&](ValueSet& bits) { bits -= other.bits; })), rest);
    EXPECT_EQ(one.bits.meets(other.bits), !common.empty());
    EXPECT_EQ(one.bits.within(other.bits), rest.empty());
    EXPECT_TRUE(with([&](ValueSet& bits) { bits &= other.bits; }).within(one.bits));
    std::set<int> even;
    std::copy_if(one.plain.begin(), one.plain.end(), into(even), [](int id) { return id % 2 == 0; });
    EXPECT_EQ(listed(with([](ValueSet& bits) { bits.keep([](int id) { return id % 2 == 0; }); })), even);
    EXPECT_EQ(one.bits.any([](int id) { return id % 2 == 0; }), !even.empty());
  }
}

}  // namespace
}  // namespace jp::seedgen
