// Runs with moved roundings, where one unit of a result is not what another compiler may differ by: conditions on all
// elements, equal numbers, sums inside of operators, rows that share a factor, sums that overflow on their way.
#include <algorithm>
#include <cmath>
#include <set>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

constexpr std::uint64_t kRuns = 12;  // as many as a judgement makes

// The texts that each item of what a program returns has in these runs.
std::vector<std::set<std::string>> texts_of(const std::string& source) {
  std::vector<std::set<std::string>> texts;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const Observation seen = observe(source, in("monte_carlo", seed));
    EXPECT_FALSE(seen.calls.at(0).exception) << seen.calls[0].exception->message;
    const auto& items = seen.calls[0].output.items;
    texts.resize(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) texts[i].insert(items[i].text);
  }
  return texts;
}

TEST(MovedRoundings, MeetConditionsOnAllElements) {
  const std::string source = R"(
import torch
def make_inputs():
    return (torch.full((6, 9), 0.7), torch.full((6, 9), 0.71))
def program(x, y):
    return str((x.sum(1) / 9 >= 0.7).all().item()), str((y.sum(1) / 9 >= 0.7).all().item())
)";
  const auto texts = texts_of(source);
  EXPECT_EQ(texts.at(0).size(), 2U);
  EXPECT_EQ(texts.at(1).size(), 1U) << "far from the threshold";
}

TEST(MovedRoundings, CallNumbersEqualThatWereMovedAndAreFewUnitsApart) {
  const std::string source = R"(
import torch
def make_inputs():
    g = torch.Generator().manual_seed(4)
    x = torch.randn(50, generator=g)
    return (x, torch.randn(50, generator=g), x.nextafter(torch.tensor(9.0)))
def program(a, b, near):
    one, other = torch.lerp(a, b, 0.3), a + 0.3 * (b - a)
    y = a.exp()
    return [str(item) for item in (
        torch.equal(one, other), (one == other).all().item(), (one - other == 0).all().item(), (a == near).any().item(),
        (one != one).any().item(), (y == y.amax()).sum().item(), (y == y * 1.001).any().item())]
)";
  const auto texts = texts_of(source);
  ASSERT_EQ(texts.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(texts[i].size(), i < 3 ? 2U : 1U) << i;
}

TEST(MovedRoundings, MakeZerosOfSumsInsideThatCancel) {
  const std::string source = R"(
import torch
def make_inputs():
    g = torch.Generator().manual_seed(4)
    a, b = torch.randn(40, generator=g), torch.randn(40, generator=g)
    x = torch.randn(30, 3, generator=g)
    return (a, b, -(a * b), x, torch.diag(torch.cat([a, -a])), torch.full((1, 1, 7, 9), 0.7))
def program(a, b, c, x, d, image):
    bicubic = torch.nn.functional.interpolate(image, size=(15, 13), mode="bicubic")
    line = torch.linspace(-1, 1, 101)
    return [str(item.item()) for item in (
        (line == 0).any(), (torch.arange(-3, 3, 0.1) == 0).any(), (torch.addcmul(c, a, b) == 0).all(), d.trace() == 0,
        (bicubic > 0.7).all(), (torch.linalg.cross(x, x * 1.7) == 0).all(),
        (torch.linalg.cross(x.ceil(), x.ceil() * 2) == 0).all())]
)";
  const auto texts = texts_of(source);
  ASSERT_EQ(texts.size(), 7U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_GT(texts[i].size(), 1U) << i;
  EXPECT_EQ(texts[6].size(), 1U) << "whole numbers that are added up exactly";
}

TEST(MovedRoundings, ChooseAmongTheEndsOfASumThatOverflows) {
  const std::string source = R"(
import torch
def make_inputs():
    big = torch.tensor([3e38] * 20 + [-3e38] * 20 + [1.0] * 9).reshape(7, 7)
    return (big, torch.full((7,), 3e38), torch.full((7,), 1e38).neg())
def program(big, one_sign, other_sign):
    return big.sum(0), one_sign.sum(), other_sign.sum()
)";
  std::set<float> sums;
  bool has_nan = false;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const Observation seen = observe(source, in("monte_carlo", seed));
    ASSERT_FALSE(seen.calls.at(0).exception) << seen.calls[0].exception->message;
    for (float sum : elements<float>(tensor(seen, out(seen, 0)))) {
      if (std::isnan(sum))
        has_nan = true;
      else
        sums.insert(sum);
    }
    EXPECT_EQ(elements<float>(tensor(seen, out(seen, 1)))[0], INFINITY) << "terms of one sign overflow in any order";
    EXPECT_EQ(elements<float>(tensor(seen, out(seen, 2)))[0], -INFINITY);
  }
  EXPECT_TRUE(has_nan);
  EXPECT_TRUE(sums.count(INFINITY));
  EXPECT_TRUE(sums.count(-INFINITY));
}

TEST(MovedRoundings, MoveARowTogether) {
  const std::string source = R"(
import torch
def make_inputs():
    return (torch.randn(100, 64, generator=torch.Generator().manual_seed(4)),)
def program(x):
    return (x.softmax(1).double().sum(1),)
)";
  double farthest = 0;
  for (std::uint64_t seed : {1, 2, 5, 6})
    for (double sum : elements<double>(tensor(observe(source, in("monte_carlo", seed)), out(observe(source), 0))))
      farthest = std::max(farthest, std::abs(sum - 1));
  EXPECT_GT(farthest, 1.5e-7) << "elements that are moved independently cancel in a sum";
  EXPECT_LT(farthest, 1e-6);
}

}  // namespace
}  // namespace jp::pyrunner::test
