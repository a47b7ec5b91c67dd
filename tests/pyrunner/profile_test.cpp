// Facts before and after each statement, merged over visits and calls.
#include <cmath>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

// The test counts lines: the text starts with line 1.
constexpr const char* kProgram = R"(import torch
SCALE = 3


def make_inputs():
    x = torch.arange(6.0).reshape(2, 3)
    return [(x, x[0], 1), (x * 1, torch.ones(3), 1)]


def program(x, y, n):
    """Documented."""
    z = x + y
    for i in range(n + 1):
        z = z * SCALE
    items = [z, {"k": y}]
    once = iter([1, 2])
    if z.sum() > 1e9:
        z = z - 1
    return z.t(), sum(once), items
)";

const std::vector<StatementPlace> kPlaces = {{"docs", 11, 4, 11, 21}, {"add", 12, 4, 12, 13},   {"loop", 13, 4, 14, 21},
                                             {"body", 14, 8, 14, 21}, {"items", 15, 4, 15, 25}, {"once", 16, 4, 16, 24},
                                             {"if", 17, 4, 18, 17},   {"dead", 18, 8, 18, 17},  {"end", 19, 4, 19, 34}};

std::optional<double> element(const NameFacts* facts, std::int64_t position) {
  const double* found = facts->elements.find(position);
  return found ? std::optional(*found) : std::nullopt;
}

TEST(Profile, FactsAreMergedOverCalls) {
  Facts facts = facts_of(kProgram, kPlaces);
  EXPECT_EQ(facts.calls, 2);
  const NameFacts* x = facts.find_before("add", "x");
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(x->kind, "tensor");
  EXPECT_EQ(x->dtype, Dtype::kFloat32);
  EXPECT_EQ(x->shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(element(x, 5), 5.0);
  EXPECT_EQ(x->maximum, 5.0);
  EXPECT_EQ(x->sum, 15.0);
  const NameFacts* y = facts.find_before("add", "y");
  ASSERT_NE(y, nullptr);
  EXPECT_FALSE(y->storage.has_value()) << "shares storage with x in one call only";
  EXPECT_FALSE(y->elements.contains(0)) << "0 in one call, 1 in the other";
  EXPECT_EQ(element(y, 1), 1.0);
  EXPECT_EQ(facts.find_before("add", "n")->literal, "1");
}

TEST(Profile, VisitsBranchesAndGlobals) {
  Facts facts = facts_of(kProgram, kPlaces);
  EXPECT_EQ(facts.visits.at("body"), 4);
  EXPECT_EQ(facts.visits.at("loop"), 2);
  EXPECT_EQ(facts.visits.count("dead"), 0u);
  EXPECT_EQ(facts.find_before("add", "z"), nullptr);
  EXPECT_NE(facts.find_after("add", "z"), nullptr);
  EXPECT_EQ(facts.find_before("body", "SCALE")->literal, "3");
  EXPECT_FALSE(facts.find_before("body", "i")->literal.has_value());
  EXPECT_EQ(facts.find_before("end", "items")->length, 2);
  EXPECT_EQ(facts.find_before("end", "items[0]")->storage, facts.find_before("end", "z")->storage);
  EXPECT_EQ(facts.find_before("end", "items[1]['k']")->kind, "tensor");
  EXPECT_EQ(facts.after.count("end"), 0u);
}

TEST(Profile, RangesOverVisits) {
  Facts facts = facts_of(R"(import torch

def grown(x):
    y = x * 2
    return y

def program():
    grown(torch.arange(6.0).reshape(2, 3))
    grown(torch.full((2, 4), -5.0))
    grown(torch.ones(2, 5))
)",
                         {{"double", 4, 4, 4, 13}});
  const NameFacts* x = facts.find_before("double", "x");
  ASSERT_NE(x, nullptr);
  EXPECT_FALSE(x->shape || x->strides || x->minimum || x->maximum);
  EXPECT_EQ(x->least_shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(x->largest_shape, (std::vector<std::int64_t>{2, 5}));
  EXPECT_EQ(x->row_major, true);
  EXPECT_EQ(x->lowest, -5.0);
  EXPECT_EQ(x->highest, 5.0);
}

TEST(Profile, RangesOfOneKindOnly) {
  Facts facts = facts_of(R"(import torch

def taken(x):
    y = x
    return y

def program():
    taken(torch.zeros(2, 3).t())
    taken(torch.ones(2, 4))
    for x in (torch.zeros(2), torch.ones(2, 2), torch.tensor([float("nan")] * 2)):
        z = x
)",
                         {{"take", 4, 4, 4, 9}, {"keep", 11, 8, 11, 13}});
  const NameFacts* x = facts.find_before("take", "x");
  EXPECT_EQ(x->least_shape, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(x->row_major, false) << "transposed at one visit";
  const NameFacts* kept = facts.find_before("keep", "x");
  EXPECT_FALSE(kept->least_shape || kept->largest_shape) << "of several ranks";
  EXPECT_FALSE(kept->lowest || kept->highest) << "not a number at one visit";
}

TEST(Profile, ValuesAreThoseOfAPlainRun) {
  Runner::Profile profile = shared_runner().profile(program_of(kProgram), {kPlaces, std::nullopt});
  Outcome plain = run_one(kProgram, eager());
  EXPECT_EQ(std::get<Finished>(profile.outcome.ending).observation, std::get<Finished>(plain.ending).observation);
}

TEST(Profile, MovedRoundingsMoveWhatRounds) {
  const Program program = program_of(
      "import torch\n"
      "def make_inputs():\n"
      "    return (torch.arange(1.0, 5.0),)\n"
      "def program(x):\n"
      "    whole = x * 2\n"
      "    third = x / 3\n"
      "    return whole, third\n");
  const Watched watched{{{"end", 7, 4, 7, 23}}, std::nullopt};
  const Facts plain = shared_runner().facts(program, watched).facts;
  const Facts moved = shared_runner().moved_facts(program, watched, 1).facts;
  const Facts again = shared_runner().moved_facts(program, watched, 1).facts;
  const auto seen = [](const Facts& facts, const char* name) { return facts.find_before("end", name)->elements; };
  EXPECT_EQ(seen(moved, "whole"), seen(plain, "whole")) << "exact results stay";
  EXPECT_NE(seen(moved, "third"), seen(plain, "third"));
  EXPECT_EQ(seen(moved, "third"), seen(again, "third")) << "by the seed alone";
  for (const auto& [position, value] : seen(plain, "third"))
    EXPECT_NEAR(value, *seen(moved, "third").find(position), 2e-7) << position;
}

TEST(Profile, ALongLoopEnds) {
  Facts facts = facts_of("def program():\n    n = 0\n    while n < 100000:\n        n += 1\n    return n\n",
                         {{"step", 4, 8, 4, 14}});
  EXPECT_EQ(facts.visits.at("step"), 100000);
  EXPECT_TRUE(facts.before.at("step").empty());
}

Elements elements_of(const NameFacts* facts) {
  EXPECT_NE(facts, nullptr);
  return facts == nullptr ? Elements{} : facts->elements;
}

constexpr const char* kWrites = R"(import torch


def program():
    x = torch.zeros(2)
    x.data[0] = 1
    x.numpy()[1] = 2
    x.view(-1).add_(1)
    y = x[1:]
    y = x.t()
    long = torch.zeros(5000)
    long.data[4999] = 5
    return x
)";

TEST(Profile, WritesThatBumpNoVersionAreSeen) {
  Facts facts = facts_of(kWrites, {{"zeros", 5, 4, 5, 22},
                                   {"data", 6, 4, 6, 17},
                                   {"numpy", 7, 4, 7, 20},
                                   {"alias", 8, 4, 8, 22},
                                   {"slice", 9, 4, 9, 13},
                                   {"same", 10, 4, 10, 13},
                                   {"long", 11, 4, 11, 28},
                                   {"end", 12, 4, 12, 23}});
  EXPECT_EQ(elements_of(facts.find_after("zeros", "x")), (Elements{{0, 0.0}, {1, 0.0}}));
  EXPECT_EQ(elements_of(facts.find_after("data", "x")), (Elements{{0, 1.0}, {1, 0.0}}));
  EXPECT_EQ(elements_of(facts.find_after("numpy", "x")), (Elements{{0, 1.0}, {1, 2.0}}));
  EXPECT_EQ(elements_of(facts.find_after("alias", "x")), (Elements{{0, 2.0}, {1, 3.0}}));
  EXPECT_EQ(facts.find_after("alias", "x")->maximum, 3.0);
  const NameFacts* y = facts.find_after("slice", "y");
  EXPECT_EQ(elements_of(y), (Elements{{0, 3.0}}));
  EXPECT_EQ(y->offset, 1);
  EXPECT_EQ(y->storage, facts.find_after("slice", "x")->storage);
  // Two names of one value have equal facts.
  EXPECT_EQ(*facts.find_after("same", "y"), *facts.find_after("same", "x"));
  EXPECT_EQ(facts.find_after("long", "long")->maximum, 0.0);
  EXPECT_EQ(facts.find_after("end", "long")->maximum, 5.0);
  EXPECT_EQ(element(facts.find_after("end", "long"), 4999), 5.0);
}

TEST(Profile, WhatIsBehindAStatementIsBeforeTheNext) {
  Facts facts = facts_of(kProgram, kPlaces);
  EXPECT_EQ(facts.after.at("add"), facts.before.at("loop"));
  EXPECT_EQ(facts.after.at("once"), facts.before.at("if"));
  EXPECT_NE(facts.after.at("body"), facts.before.at("items")) << "the last of a block, and what follows the block";
  EXPECT_EQ(facts.visits.at("items"), 2);
}

constexpr const char* kSpecial = R"(import torch


def make_inputs():
    return [(torch.tensor([1.0, -0.0, float("nan")]), 1), (torch.tensor([[1.0], [0.0], [float("nan")]]), True)]


def program(x, n):
    big = torch.tensor([2**60, 4])
    c = torch.complex(torch.ones(2), torch.ones(2))
    other = {"k": [x], 1: big}
    def inner():
        return x
    return inner()
)";

TEST(Profile, FieldsThatDifferAreDropped) {
  Facts facts = facts_of(kSpecial, {{"big", 9, 4, 9, 34}, {"end", 14, 4, 14, 18}});
  const NameFacts* x = facts.find_before("big", "x");
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(x->kind, "tensor");
  EXPECT_EQ(x->dtype, Dtype::kFloat32);
  EXPECT_FALSE(x->shape || x->strides || x->minimum || x->maximum);
  EXPECT_EQ(x->offset, 0);
  ASSERT_EQ(x->elements.size(), 2u) << "0 and -0 differ";
  EXPECT_EQ(element(x, 0), 1.0);
  EXPECT_TRUE(std::isnan(element(x, 2).value_or(0)));
  EXPECT_EQ(facts.find_before("big", "n")->kind, "");
  EXPECT_FALSE(facts.find_before("big", "n")->literal.has_value());
  const NameFacts* big = facts.find_after("big", "big");
  EXPECT_EQ(elements_of(big), (Elements{{1, 4.0}})) << "2**60 is no exact double";
  EXPECT_FALSE(big->maximum.has_value());
  EXPECT_TRUE(facts.find_before("end", "c")->elements.empty());
  EXPECT_EQ(facts.find_before("end", "other[1]")->storage, facts.find_before("end", "big")->storage);
  EXPECT_EQ(facts.find_before("end", "other['k'][0]")->storage, facts.find_before("end", "x")->storage);
  EXPECT_EQ(facts.find_before("end", "inner[x]")->storage, facts.find_before("end", "x")->storage);
  EXPECT_EQ(facts.find_before("end", "inner")->kind, "function");
}

constexpr const char* kNumbers = R"(import torch

SIGNED = (torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64)


def program():
    signed = [torch.tensor([-3.0, 0.0, 5.0]).to(dtype) for dtype in SIGNED]
    truths = torch.tensor([2, 0], dtype=torch.uint8).view(torch.bool)
    halves = torch.tensor([2.0**-24, -65504.0, float("inf")], dtype=torch.float16)
    negated = torch.complex(torch.zeros(2), torch.tensor([1.0, -2.0])).conj().imag
    turned = torch.arange(6.0).reshape(2, 3).t()
    spread = torch.ones(1).expand(3)
    windows = torch.arange(4.0).as_strided((3, 2), (1, 1))
    every_other = torch.arange(200.0)[::2]
    return signed
)";

TEST(Profile, ElementsOfEveryDtypeAndLayout) {
  Facts facts = facts_of(kNumbers, {{"end", 15, 4, 15, 17}});
  const auto at_end = [&facts](const std::string& name) { return facts.find_before("end", name); };
  for (int i = 0; i < 8; ++i) {
    const std::string name = "signed[" + std::to_string(i) + "]";
    EXPECT_EQ(elements_of(at_end(name)), (Elements{{0, -3.0}, {1, 0.0}, {2, 5.0}})) << name;
    EXPECT_EQ(at_end(name)->minimum, -3.0);
    EXPECT_EQ(at_end(name)->maximum, 5.0);
    EXPECT_EQ(at_end(name)->sum, 2.0);
  }
  EXPECT_EQ(at_end("every_other")->sum, 9900.0);
  EXPECT_FALSE(at_end("halves")->sum.has_value()) << "it is infinite";
  EXPECT_EQ(elements_of(at_end("truths")), (Elements{{0, 1.0}, {1, 0.0}})) << "a bool of any bits is 1";
  EXPECT_EQ(elements_of(at_end("halves")), (Elements{{0, std::ldexp(1, -24)}, {1, -65504.0}, {2, HUGE_VAL}}));
  EXPECT_EQ(elements_of(at_end("negated")), (Elements{{0, -1.0}, {1, 2.0}}));
  EXPECT_EQ(elements_of(at_end("turned")), (Elements{{0, 0.0}, {1, 3.0}, {2, 1.0}, {3, 4.0}, {4, 2.0}, {5, 5.0}}));
  EXPECT_EQ(at_end("turned")->overlaps_itself, false);
  EXPECT_EQ(at_end("spread")->overlaps_itself, true);
  EXPECT_EQ(at_end("windows")->overlaps_itself, true);
  const Elements some = elements_of(at_end("every_other"));
  ASSERT_EQ(some.size(), 16u);
  EXPECT_EQ(some.nth(1), (Elements::value_type{6, 12.0}));
  EXPECT_EQ(some.nth(15), (Elements::value_type{99, 198.0}));
}

constexpr const char* kStrange = R"(import torch


class Part(torch.nn.Module):
    def __init__(self):
        self_known = True
        super().__init__()


def one(row):
    twice = row * 2
    return twice.sum()


def program():
    sums = torch.func.vmap(one)(torch.ones(2, 3))
    gone = torch.ones(3)
    gone.untyped_storage().resize_(0)
    nowhere = torch.empty(3, device="meta")
    empty = torch.ones(0, 1).expand(0, 3)
    zeros = torch._efficientzerotensor(4)[2:]
    many = torch.full((300, 600), 0.5, dtype=torch.float16)
    Part()
    return sums


class Names:
    """A namespace that nothing can be deleted from."""

    def __init__(self):
        self.all = {}

    def __getitem__(self, name):
        return self.all[name]

    def __setitem__(self, name, value):
        self.all[name] = value


class Meta(type):
    def __prepare__(name, bases):
        return Names()

    def __new__(kind, name, bases, names):
        return type.__new__(kind, name, bases, dict(names.all))


class Odd(metaclass=Meta):
    known = 1

    def own(self):
        return __class__


class Same(str):
    def __repr__(self):
        return "same"


twins = {Same("a"): torch.zeros(1), Same("b"): torch.ones(2)}
known = 2
)";

TEST(Profile, WhatCannotBeReadDisturbsNobody) {
  Facts facts = facts_of(kStrange, {{"init", 6, 8, 6, 25},
                                    {"twice", 11, 4, 11, 19},
                                    {"meta", 19, 4, 19, 43},
                                    {"end", 24, 4, 24, 15},
                                    {"odd", 49, 4, 49, 13},
                                    {"last", 61, 0, 61, 9}});
  EXPECT_EQ(facts.find_before("init", "self")->kind, "module");
  const NameFacts* row = facts.find_before("twice", "row");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->shape, std::vector<std::int64_t>{3});
  EXPECT_FALSE(row->storage.has_value());
  EXPECT_TRUE(row->elements.empty());
  EXPECT_TRUE(facts.find_before("meta", "gone")->elements.empty());
  EXPECT_EQ(facts.find_after("meta", "nowhere")->shape, std::vector<std::int64_t>{3});
  EXPECT_EQ(elements_of(facts.find_before("end", "sums")), (Elements{{0, 6.0}, {1, 6.0}}));
  EXPECT_EQ(facts.find_before("end", "empty")->overlaps_itself, false);
  EXPECT_EQ(facts.find_before("end", "zeros")->shape, std::vector<std::int64_t>{2});
  EXPECT_EQ(facts.find_before("end", "many")->elements.size(), 16u);
  EXPECT_EQ(facts.find_before("end", "many")->maximum, 0.5);
  EXPECT_TRUE(facts.before.at("odd").empty()) << "its locals raise";
  const NameFacts* twin = facts.find_before("last", "twins[same]");
  ASSERT_NE(twin, nullptr);
  EXPECT_EQ(twin->shape, std::vector<std::int64_t>{1});
}

}  // namespace
}  // namespace jp::pyrunner::test
