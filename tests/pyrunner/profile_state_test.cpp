// Which names a point shows, and what it shows of a tensor that is changed in place.
#include "common.h"

namespace jp::pyrunner::test {
namespace {

constexpr const char* kNames = R"(import torch
SHADOWED = 1
SHARED = 2

def program():
    caught = 3
    late = 4
    def inner(own):
        nonlocal late
        late = own + caught + SHARED
        class Body:
            part = late
            whole = part
        del own
        return late
    def steps():
        held = caught
        yield held
        held = held + 1
        yield held
    result = inner(5)
    gone = 6
    del gone
    def shadows():
        return SHADOWED
    list(steps())
    SHADOWED_TOO = shadows()
    return result, SHADOWED_TOO
)";

// In cells or not, of suspended functions, and of bodies of classes.
TEST(Profile, NamesAreThoseThatAreBound) {
  const Facts facts = facts_of(kNames, {{"caught", 6, 4, 6, 14},
                                        {"late", 10, 8, 10, 37},
                                        {"whole", 13, 12, 13, 24},
                                        {"del", 14, 8, 14, 15},
                                        {"held", 19, 8, 19, 23},
                                        {"gone", 22, 4, 22, 12},
                                        {"deleted", 23, 4, 23, 12},
                                        {"end", 28, 4, 28, 31}});
  auto literal = [](const NameFacts* known) { return known ? known->literal : std::nullopt; };
  EXPECT_EQ(facts.find_before("caught", "caught"), nullptr);
  EXPECT_EQ(literal(facts.find_after("caught", "caught")), "3");
  EXPECT_EQ(facts.find_after("caught", "late"), nullptr);
  EXPECT_EQ(facts.find_before("caught", "SHADOWED")->literal, "1") << "named by a function inside";
  EXPECT_EQ(literal(facts.find_before("late", "late")), "4");
  EXPECT_EQ(literal(facts.find_after("late", "late")), "10");
  EXPECT_EQ(literal(facts.find_after("late", "own")), "5");
  EXPECT_EQ(literal(facts.find_after("late", "SHARED")), "2");
  EXPECT_EQ(literal(facts.find_before("whole", "part")), "10");
  EXPECT_EQ(facts.find_before("whole", "own"), nullptr) << "a class body has names of its own";
  EXPECT_EQ(facts.find_after("del", "own"), nullptr);
  EXPECT_EQ(literal(facts.find_before("held", "held")), "3");
  EXPECT_EQ(literal(facts.find_after("held", "held")), "4");
  EXPECT_EQ(literal(facts.find_after("gone", "gone")), "6");
  EXPECT_EQ(facts.find_after("deleted", "gone"), nullptr);
  EXPECT_EQ(literal(facts.find_before("end", "result")), "10");
  EXPECT_EQ(facts.find_before("end", "torch"), nullptr) << "modules aren't shown";
}

constexpr const char* kInPlace = R"(import torch

def program():
    x = torch.zeros(2, 3)
    x.t_()
    x.unsqueeze_(0)
    x.requires_grad_()
    y = torch.zeros(2)
    y.mul_(torch.ones(2, requires_grad=True))
    y.detach_()
    return x, y
)";

// The same elements throughout: other sizes, strides and requires_grad of one tensor.
TEST(Profile, ChangesInPlaceThatKeepTheElements) {
  const Facts facts = facts_of(kInPlace, {{"x", 4, 4, 4, 25},
                                          {"t", 5, 4, 5, 10},
                                          {"unsqueeze", 6, 4, 6, 19},
                                          {"grad", 7, 4, 7, 22},
                                          {"y", 8, 4, 8, 22},
                                          {"mul", 9, 4, 9, 45},
                                          {"detach", 10, 4, 10, 15},
                                          {"end", 11, 4, 11, 15}});
  using Sizes = std::vector<std::int64_t>;
  EXPECT_EQ(facts.find_after("x", "x")->shape, (Sizes{2, 3}));
  EXPECT_EQ(facts.find_after("t", "x")->shape, (Sizes{3, 2}));
  EXPECT_EQ(facts.find_after("t", "x")->strides, (Sizes{1, 3}));
  EXPECT_EQ(facts.find_after("unsqueeze", "x")->shape, (Sizes{1, 3, 2}));
  EXPECT_EQ(facts.find_after("unsqueeze", "x")->requires_grad, false);
  EXPECT_EQ(facts.find_after("grad", "x")->requires_grad, true);
  EXPECT_EQ(facts.find_after("y", "y")->is_leaf, true);
  EXPECT_EQ(facts.find_after("mul", "y")->requires_grad, true);
  EXPECT_EQ(facts.find_after("mul", "y")->is_leaf, false);
  EXPECT_EQ(facts.find_after("detach", "y")->requires_grad, false);
}

constexpr const char* kOddPlaces = R"(import torch

def program():
    x = torch.arange(12.0).as_strided((1, 3), (7, 2), 1)
    y = torch.zeros(3, 1).t()[:, 1:]
    z = torch.zeros(2).expand(3, 2)
    e = torch.zeros(4)[4:]
    c = torch.zeros(2, dtype=torch.complex64)[1:]
    i = torch.ones(2, dtype=torch.complex64).conj().imag
    b = torch.zeros(4, dtype=torch.bool)[::3]
    s = torch.tensor(3.0)
    n = torch.zeros(0, 5)
    m = torch.nn.Parameter(torch.zeros(2, 4).half())[1, 2:]
    return x, y, z, e, c, i, b, s, n, m
)";

// As stride() and storage_offset() say.
TEST(Profile, PlacesOfOddLayouts) {
  const Facts facts = facts_of(kOddPlaces, {{"end", 14, 4, 14, 39}});
  using Sizes = std::vector<std::int64_t>;
  auto expect = [&](const char* name, const Sizes& shape, const Sizes& strides, std::int64_t offset) {
    const NameFacts* known = facts.find_before("end", name);
    ASSERT_NE(known, nullptr) << name;
    EXPECT_EQ(known->shape, shape) << name;
    EXPECT_EQ(known->strides, strides) << name;
    EXPECT_EQ(known->offset, offset) << name;
  };
  expect("x", {1, 3}, {7, 2}, 1);
  expect("y", {1, 2}, {1, 1}, 1);
  expect("z", {3, 2}, {0, 1}, 0);
  expect("e", {0}, {1}, 4);
  expect("c", {1}, {1}, 1);
  expect("i", {2}, {2}, 1);
  expect("b", {2}, {3}, 0);
  expect("s", {}, {}, 0);
  expect("n", {0, 5}, {5, 1}, 0);
  expect("m", {2}, {1}, 6);
  EXPECT_EQ(facts.find_before("end", "i")->elements.nth(0).second, -0.0) << "read through a negation";
  EXPECT_EQ(facts.find_before("end", "m")->is_leaf, false);
}

TEST(Profile, WhatAnObjectHolds) {
  Facts facts = facts_of(R"(import torch

class Held:
    def __getattribute__(self, name):
        assert name != "kept"
        return object.__getattribute__(self, name)

class Net(torch.nn.Module):
    pass

def program():
    held, net = Held(), Net()
    x = torch.zeros(2)
    object.__setattr__(held, "kept", x)
    net.kept = x
    return x
)",
                         {{"end", 16, 4, 16, 12}});
  const NameFacts* x = facts.find_before("end", "x");
  ASSERT_NE(x, nullptr);
  for (const char* name : {"held[kept]", "net[kept]"}) {
    const NameFacts* kept = facts.find_before("end", name);
    ASSERT_NE(kept, nullptr) << name;
    EXPECT_EQ(kept->storage, x->storage) << name;
  }
}

}  // namespace
}  // namespace jp::pyrunner::test
