// Which names share memory, and where a tensor lies: facts must hold at every visit.
#include <algorithm>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

constexpr const char* kNewInTheLoop = R"(import torch


def program():
    x = torch.zeros(2)
    y = torch.zeros(2)
    for i in range(2):
        n = i
        a = x[:1]
        b = torch.ones(2)
    return x
)";

TEST(Memory, OfANameThatOneVisitKnows) {
  Facts facts = facts_of(kNewInTheLoop, {{"mark", 8, 8, 8, 13}});
  EXPECT_EQ(facts.find_before("mark", "a"), nullptr) << "not live at the first visit";
  EXPECT_FALSE(facts.find_before("mark", "x")->storage.has_value()) << "at the second visit a has it too";
  EXPECT_TRUE(facts.find_before("mark", "y")->storage.has_value());
}

// x shares memory with z at one of three visits, has its own at another, and z isn't there at a third.
TEST(Memory, SharedAtOneVisit) {
  std::vector<std::string> visits = {"z = x[:1]", "z = torch.ones(1)", "del z"};
  std::sort(visits.begin(), visits.end());
  do {
    std::string source = "import torch\n\ndef program():\n    x = torch.zeros(2)\n    z = torch.ones(1)\n";
    source += "    for i in range(3):\n        z = 0\n";
    for (int i = 0; i < 3; ++i)
      source += "        if i == " + std::to_string(i) + ": " + visits[static_cast<std::size_t>(i)] + "\n";
    source += "        n = i\n    return x\n";
    Facts facts = facts_of(source, {{"mark", 11, 8, 11, 13}});
    EXPECT_EQ(facts.find_before("mark", "z"), nullptr) << source;
    EXPECT_FALSE(facts.find_before("mark", "x")->storage.has_value()) << source;
  } while (std::next_permutation(visits.begin(), visits.end()));
}

TEST(Memory, GivenToATensorInPlace) {
  Facts facts = facts_of(R"(import numpy
import torch


def program():
    n = numpy.arange(4, dtype="float32")
    x = torch.from_numpy(n)[1:]
    a = 1
    x.data = torch.from_numpy(n[1:])
    a = 2
    x.data = torch._neg_view(x.detach())
    q = torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.quint8)
    a = 3
    return a
)",
                         {{"two", 10, 4, 10, 9}, {"three", 13, 4, 13, 9}, {"end", 14, 4, 14, 12}});
  EXPECT_EQ(facts.find_before("two", "x")->offset, 0) << "in a storage that begins there";
  EXPECT_EQ(*facts.find_before("three", "x")->elements.find(0), -1.0);
  EXPECT_EQ(facts.find_before("end", "q")->kind, "tensor") << "of a dtype that we have no rules for";
  EXPECT_NE(facts.find_before("end", "x"), nullptr);
}

}  // namespace
}  // namespace jp::pyrunner::test
