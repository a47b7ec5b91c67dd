// Which breaches follow from a want: by hand-made wants.
#include "seedgen/constraints/input_breaches.h"

#include <gtest/gtest.h>

#include <set>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {
namespace {

std::vector<Breach> of_constraint(const std::vector<Breach>& breaches, Constraint constraint) {
  std::vector<Breach> found;
  for (const Breach& breach : breaches)
    if (breach.constraint == constraint) found.push_back(breach);
  return found;
}

Value taken(Dtype dtype, const Shape& shape) { return fresh(dtype, shape, {-1, 1}); }

TEST(InputBreaches, NothingOfAWantThatTakesEverything) {
  const Want want{.dtypes = kEveryDtype};
  EXPECT_TRUE(input_breaches(want, taken(Dtype::kFloat32, {2, 3}), {}).empty());
}

TEST(InputBreaches, DtypesOutsideTheSetNearAndFar) {
  const std::vector<Breach> breaches = input_breaches({.dtypes = kFloats}, taken(Dtype::kFloat32, {2}), {});
  std::set<Dtype> near;
  std::set<Dtype> far;
  for (const Breach& breach : breaches) {
    EXPECT_EQ(breach.constraint, Constraint::kDtype);
    (breach.far ? far : near).insert(breach.value.dtype);
  }
  EXPECT_EQ(near, (std::set{Dtype::kUInt8, Dtype::kInt8, Dtype::kInt16, Dtype::kInt32, Dtype::kInt64, Dtype::kComplex64,
                            Dtype::kComplex128}));
  EXPECT_EQ(far, std::set{Dtype::kBool});
}

TEST(InputBreaches, SizesAndRanksByOneStepAndByMore) {
  Want want{.dtypes = kEveryDtype};
  want.shape = ShapeWant::exactly({2, 3});
  const std::vector<Breach> breaches = input_breaches(want, taken(Dtype::kFloat32, {2, 3}), {});
  for (const Breach& breach : of_constraint(breaches, Constraint::kSize))
    EXPECT_EQ(breach.far, std::abs(breach.value.shape[0] - 2) + std::abs(breach.value.shape[1] - 3) > 1);
  EXPECT_EQ(of_constraint(breaches, Constraint::kSize).size(), 7u);  // each size by 1, -1 and 7, and both by 7
  std::set<int> ranks;
  for (const Breach& breach : of_constraint(breaches, Constraint::kRank)) ranks.insert(breach.value.shape.size());
  EXPECT_EQ(ranks, (std::set{0, 1, 3, 5}));
}

TEST(InputBreaches, WhatBroadcastsIsNoBreach) {
  Want want{.dtypes = kEveryDtype};
  want.shape = ShapeWant::broadcasting({2, 3});
  for (const Breach& breach : input_breaches(want, taken(Dtype::kFloat32, {2, 3}), {})) {
    EXPECT_FALSE(broadcast(breach.value.shape, {2, 3}).has_value());
    EXPECT_TRUE(breach.constraint == Constraint::kSize || breach.constraint == Constraint::kRank);
  }
}

TEST(InputBreaches, TheBoundOnElementsIsNone) {
  Want want{.dtypes = kEveryDtype};
  want.shape = ShapeWant::any().upto(6);
  EXPECT_TRUE(input_breaches(want, taken(Dtype::kFloat32, {2, 3}), {}).empty());
}

TEST(InputBreaches, RelationsAreTypesThatTheTestRefusesWhateverTheElements) {
  Want want{.dtypes = kFloats};
  want.fits = [](const Value& value) { return value.dtype != Dtype::kFloat64 && value.interval.high <= 1; };
  const std::vector<Breach> breaches = input_breaches(want, taken(Dtype::kFloat32, {2}), {});
  const std::vector<Breach> relations = of_constraint(breaches, Constraint::kRelation);
  ASSERT_EQ(relations.size(), 1u);
  EXPECT_EQ(relations[0].value.dtype, Dtype::kFloat64);
}

TEST(InputBreaches, ElementsBeyondEitherEnd) {
  Want want{.dtypes = {Dtype::kInt64}};
  want.within = {-1, 1};
  std::set<double> numbers;
  for (const Breach& breach : of_constraint(input_breaches(want, taken(Dtype::kInt64, {2}), {}), Constraint::kValues)) {
    EXPECT_EQ(breach.value.interval.low, breach.value.interval.high);
    EXPECT_EQ(breach.far, std::abs(breach.value.interval.low) > 2);
    numbers.insert(breach.value.interval.low);
  }
  EXPECT_EQ(numbers, (std::set<double>{-1001, -2, 2, 1001}));
  EXPECT_TRUE(of_constraint(input_breaches(want, taken(Dtype::kInt64, {0}), {}), Constraint::kValues).empty());
}

TEST(InputBreaches, MemoryThatIsWritten) {
  const Want want{.dtypes = kEveryDtype, .written = true};
  std::set<Constraint> broken;
  for (const Breach& breach : input_breaches(want, taken(Dtype::kFloat32, {2}), {})) broken.insert(breach.constraint);
  EXPECT_EQ(broken, (std::set{Constraint::kLeaf, Constraint::kOverlap}));
}

TEST(InputBreaches, LiveValuesThatBreakExactlyOne) {
  Want want{.dtypes = kFloats};
  want.shape = ShapeWant::pattern({-1, 3});
  std::vector<GraphValue> live = {taken(Dtype::kInt64, {2, 3}), taken(Dtype::kInt64, {4}),
                                  taken(Dtype::kFloat32, {2, 3}), taken(Dtype::kFloat32, {2, 4})};
  for (std::size_t i = 0; i < live.size(); ++i) live[i].id = static_cast<int>(i);
  std::set<int> found;
  for (const Breach& breach : input_breaches(want, taken(Dtype::kFloat32, {2, 3}), live))
    if (breach.live >= 0) found.insert(breach.live);
  EXPECT_EQ(found, (std::set{0, 3})) << "not the one with two faults, nor the one with none";
}

}  // namespace
}  // namespace jp::seedgen
