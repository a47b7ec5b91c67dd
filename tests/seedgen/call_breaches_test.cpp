// Which breaches follow from a call's literals: by hand-made calls.
#include "seedgen/constraints/call_breaches.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {
namespace {

constexpr std::string_view kTopk[] = {"torch.topk($0, k=$1)", "$0.topk($1)"};
constexpr std::string_view kPool[] = {"torch.nn.functional.avg_pool2d($0, kernel_size=$1)"};
constexpr std::string_view kCelu[] = {"torch.celu($0, alpha=$1)"};

Call call_of(Forms forms, Argument argument) {
  Call call;
  call.op = "hand_made";
  call.forms = forms;
  call.add(Ref{0});
  call.add(std::move(argument));
  return call;
}

GraphValue first(Dtype dtype = Dtype::kInt64) { return fresh(dtype, {2, 5}, {0, 1}); }

std::vector<Breach> ranges_of(const Call& call) {
  std::vector<Breach> breaches = call_breaches(call, first());
  std::erase_if(breaches, [](const Breach& breach) { return breach.constraint != Constraint::kRange; });
  return breaches;
}

TEST(CallBreaches, NumbersJustOutsideAndFarOutsideOfTheInputsSizes) {
  std::set<std::int64_t> near;
  std::set<std::int64_t> far;
  for (const Breach& breach : ranges_of(call_of(kTopk, std::int64_t{2}))) {
    EXPECT_EQ(breach.place, 1);
    EXPECT_EQ(breach.parameter, "k");
    EXPECT_EQ(breach.was, 2);
    const std::int64_t written = std::get<std::int64_t>(breach.written);
    EXPECT_EQ(breach.now, static_cast<double>(written));
    (breach.far ? far : near).insert(written);
  }
  EXPECT_EQ(near, (std::set<std::int64_t>{-6, -1, 0, 1, 3, 6}));
  EXPECT_EQ(far, (std::set<std::int64_t>{-69, 69}));
}

TEST(CallBreaches, NeverTheNumberThatWasDrawn) {
  for (std::int64_t drawn : {-6, -1, 0, 1, 6, 69})
    for (const Breach& breach : ranges_of(call_of(kTopk, drawn)))
      EXPECT_NE(std::get<std::int64_t>(breach.written), drawn);
}

TEST(CallBreaches, OneItemOfATuple) {
  const Ints drawn{2, 3};
  for (const Breach& breach : ranges_of(call_of(kPool, drawn))) {
    const Ints& written = std::get<Ints>(breach.written);
    ASSERT_EQ(written.size(), 2);
    EXPECT_EQ((written[0] != drawn[0]) + (written[1] != drawn[1]), 1);
    EXPECT_EQ(breach.parameter, "kernel_size");
  }
}

TEST(CallBreaches, TuplesOneItemShorterOneLongerAndMuchLonger) {
  std::set<int> lengths;
  for (const Breach& breach : call_breaches(call_of(kPool, Ints{2, 3}), first()))
    if (breach.constraint == Constraint::kLength) lengths.insert(std::get<Ints>(breach.written).size());
  EXPECT_EQ(lengths, (std::set<int>{1, 3, Ints::kCapacity}));
}

TEST(CallBreaches, Fractions) {
  std::set<double> written;
  for (const Breach& breach : ranges_of(call_of(kCelu, 0.5))) written.insert(std::get<double>(breach.written));
  EXPECT_EQ(written, (std::set<double>{-7.5, -0.5, 1.5, 8.5}));
}

// As text; "" for none.
std::string near_literal(Argument drawn, Dtype dtype) {
  for (const Breach& breach : call_breaches(call_of(kCelu, std::move(drawn)), first(dtype))) {
    if (breach.constraint != Constraint::kLiteral || breach.far) continue;
    const auto* text = std::get_if<std::string>(&breach.written);
    return text != nullptr ? *text : fmt::format("{}", std::get<double>(breach.written));
  }
  return "";
}

TEST(CallBreaches, LiteralsOfNoTypeThatTheFirstInputsElementsHave) {
  EXPECT_EQ(near_literal(std::int64_t{2}, Dtype::kInt64), "1.5");
  EXPECT_EQ(near_literal(std::int64_t{2}, Dtype::kFloat32), "None");
  EXPECT_EQ(near_literal(0.5, Dtype::kFloat32), "1j");
  EXPECT_EQ(near_literal(0.5, Dtype::kComplex64), "None");
}

TEST(CallBreaches, ParametersByTheKeywordOfAnyForm) {
  const Call call = call_of(kTopk, std::int64_t{2});
  EXPECT_EQ(parameter_of(call, 1), "k");
  EXPECT_EQ(parameter_of(call, 0), "");
  Call written = call;
  written.add(Ref{1});
  written.out = true;
  EXPECT_EQ(parameter_of(written, 2), "out");
}

TEST(CallBreaches, WhatIsPassedAsOutHasATwinWithoutMemory) {
  constexpr std::string_view kSum[] = {"torch.sum($0, dim=$1)"};
  Graph graph;
  graph.values = {first(), fresh(Dtype::kFloat64, {2}, {0, 1}), fresh(Dtype::kBool, {1, 3}, {0, 1}),
                  fresh(Dtype::kInt8, {}, {0, 1})};
  for (int i = 0; i < 4; ++i) graph.values[static_cast<std::size_t>(i)].id = i;
  Call call = call_of(kSum, std::int64_t{1});
  EXPECT_FALSE(device_breach(call, graph)) << "nothing is passed";
  call.out = true;
  call.written = 1;
  call.add(Ref{1});
  const Breach one = device_breach(call, graph).value();
  EXPECT_EQ(std::get<std::string>(one.written), "torch.empty([2], dtype=torch.float64, device='meta')");
  EXPECT_EQ(one.place, 2);
  EXPECT_EQ(one.parameter, "out");
  EXPECT_EQ(breach_name(breach_number(one)), "device:2:near");
  call.arguments.back() = std::vector{Ref{1}, Ref{2}};
  EXPECT_EQ(
      std::get<std::string>(device_breach(call, graph)->written),
      "(torch.empty([2], dtype=torch.float64, device='meta'), torch.empty([1, 3], dtype=torch.bool, device='meta'))");
  call.arguments.back() = Ref{3};
  EXPECT_FALSE(device_breach(call, graph)) << "torch copies a number to any device";
}

}  // namespace
}  // namespace jp::seedgen
