// Random numbers in a higher precision are those that eager draws, so that results can be compared with eager's.
#include <algorithm>
#include <cmath>
#include <string>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

constexpr const char* kDraws = R"(
import torch
def make_inputs():
    return (torch.linspace(0.1, 0.9, 64, dtype=TYPE).reshape(8, 8),)
def program(x):
    part = torch.zeros_like(x)
    part[:, ::2].uniform_()
    weight = torch.nn.Parameter(torch.empty_like(x))
    torch.nn.init.kaiming_uniform_(weight)
    drawn = (
        torch.rand_like(x), torch.randn_like(x), torch.empty_like(x).uniform_(-1, 1), x.clone().normal_(), part,
        torch.empty_like(x).exponential_(), torch.normal(x, x), torch.normal(0.0, 1.0, (20,)), torch.bernoulli(x),
        torch.nn.functional.dropout(x, 0.5), torch.nn.functional.gumbel_softmax(x), weight.detach(), torch.rand(20),
        torch.rand(20, dtype=TYPE), torch.multinomial(x, 2).float(), x.clone().bernoulli_(x), torch.randint_like(x, 100),
    )
    return tuple(item.double() for item in drawn)
)";

std::string of_type(const std::string& type) {
  std::string source = kDraws;
  for (std::size_t at = 0; (at = source.find("TYPE")) != std::string::npos;) source.replace(at, 4, "torch." + type);
  return source;
}

void expect_alike(const std::string& type, const std::string& precision, double tolerance) {
  const Observation plain = observe(of_type(type));
  const Observation raised = observe(of_type(type), in(precision));
  ASSERT_FALSE(plain.calls.at(0).exception) << plain.calls[0].exception->message;
  ASSERT_FALSE(raised.calls.at(0).exception) << raised.calls[0].exception->message;
  for (std::size_t i = 0; i < plain.calls[0].output.items.size(); ++i) {
    const auto before = elements<double>(tensor(plain, out(plain, i)));
    const auto after = elements<double>(tensor(raised, out(raised, i)));
    ASSERT_EQ(before.size(), after.size()) << i;
    double farthest = 0;
    for (std::size_t k = 0; k < before.size(); ++k) farthest = std::max(farthest, std::fabs(before[k] - after[k]));
    EXPECT_LE(farthest, tolerance) << type << " in " << precision << ": " << i;
  }
}

TEST(Random, NumbersOfFloat32AreTheSameInFloat64) { expect_alike("float32", "float64", 1e-5); }

TEST(Random, NumbersOfHalfTypesAreTheSameInFloat32) {
  expect_alike("float16", "float32", 1e-2);
  expect_alike("bfloat16", "float32", 1e-1);
}

}  // namespace
}  // namespace jp::pyrunner::test
