// What perturbed roundings move, and what they leave alone because nothing was rounded.
#include <string>
#include <vector>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

// Of the results of a program which ones differ from eager's under perturbed roundings, with any of some seeds.
std::vector<bool> moved(const std::string& source) {
  const Observation plain = observe(source);
  std::vector<bool> found(plain.calls.at(0).output.items.size());
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Observation noisy = observe(source, in("monte_carlo", seed));
    EXPECT_FALSE(noisy.calls.at(0).exception) << noisy.calls[0].exception->message;
    if (noisy.calls[0].exception) return found;
    for (std::size_t i = 0; i < found.size(); ++i)
      found[i] = found[i] || tensor(plain, out(plain, i)).bytes != tensor(noisy, out(noisy, i)).bytes;
  }
  return found;
}

void expect_moved(const std::string& source, std::size_t first_that_moves) {
  const std::vector<bool> found = moved(source);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], i >= first_that_moves) << i;
}

TEST(Exact, SumsOfWholeNumbersDontMove) {
  expect_moved(R"(
import torch
def make_inputs():
    return (torch.arange(64.), torch.linspace(0.1, 0.9, 64))
def program(x, y):
    square = x.reshape(8, 8)
    into = torch.zeros(8, 8)
    torch.mm(square, square, out=into)
    return ((x > 60).float().sum(), x.sum().long(), x.cumsum(0), square @ square, into,
            square.clone().addmm_(square, square), x.double().sum(), torch.sum(x > 60, dtype=torch.float32), x.dot(x),
            x.mean(), x[:63].mean(), y.sum(), y.cumsum(0), y.mean(), y.dot(y), y.double().sum(), x[:3].var())
)",
               10);
}

TEST(Exact, EntriesOfListsAreLookedAtOneByOne) {
  expect_moved(R"(
import torch
def make_inputs():
    return (torch.arange(64.), torch.linspace(0.1, 0.9, 64))
def program(x, y):
    scaled = [x.clone(), y.clone()]
    torch._foreach_mul_(scaled, 3.0)
    sums = torch._foreach_add([x, y], [x, y * 0.3])
    halves = [torch.empty(64, dtype=torch.float16), torch.empty(64, dtype=torch.float16)]
    torch._foreach_copy_(halves, [x, y])
    return scaled[0], sums[0], halves[0], x.half(), scaled[1], sums[1], halves[1], y.half()
)",
               4);
}

TEST(Exact, SumsThatCancelMoveAlsoInPlace) {
  expect_moved(R"(
import torch
def make_inputs():
    return (torch.tensor([[0.1, 0.7, -0.1, -0.7]]), torch.tensor([[0.3], [0.3], [0.3], [0.3]]))
def program(x, y):
    into = torch.empty(1)
    torch.sum(x, 1, out=into)
    batch = torch.zeros(1, 1, 1).baddbmm_(x[None], y[None])
    return into, torch.zeros(1, 1).addmm_(x, y), batch, torch.mm(x, y)
)",
               0);
}

TEST(Exact, WhatAnOperatorReturnsBesideWhatItWritesMoves) {
  expect_moved(R"(
import torch
def make_inputs():
    return (torch.linspace(0.1, 0.9, 24).reshape(8, 3),)
def program(x):
    mean, variance = torch.zeros(3), torch.ones(3)
    normal = torch.ops.aten._native_batch_norm_legit(x, None, None, mean, variance, True, 0.1, 1e-5)
    return (*normal, mean, variance)
)",
               0);
}

TEST(Exact, DimensionsAreTakenByTheirNames) {
  const std::vector<bool> found = moved(R"(
import torch
def make_inputs():
    return (torch.linspace(0.1, 0.9, 64).reshape(16, 4),)
def program(x):
    return (torch._foreach_norm([x], 2, torch.float64)[0], torch.var(x, False), torch.std(x, 0, True), x.var(1, keepdim=True))
)");
  EXPECT_EQ(found, std::vector<bool>(4, true));
}

}  // namespace
}  // namespace jp::pyrunner::test
