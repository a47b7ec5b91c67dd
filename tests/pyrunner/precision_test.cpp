// The same program run differently: with noise, in a higher precision, with other values, on another device.
#include <cmath>
#include <set>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

// Gradients flow through a hook, a function of the program's own and an accumulation in a leaf that is used twice.
constexpr const char* kNoisy = R"(
import torch
class Half(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x) / 3
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.cos(x) / 3
def make_inputs():
    x = torch.linspace(0.1, 0.9, 64)
    return (x.requires_grad_(), torch.linspace(0.1, 0.9, 64))
def program(x, y):
    x.register_hook(lambda g: g * 1.1)
    z = y[2:]
    z.mul_(0.3)
    return Half.apply(x) + x * 0.7, torch.exp(y), y, torch.relu(y), y.half(), torch.randn(3), torch.arange(5.) * 3
)";

double largest_step(const std::vector<float>& one, const std::vector<float>& other) {
  double largest = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    double unit = std::nextafter(std::fabs(one[i]), INFINITY) - std::fabs(one[i]);
    largest = std::max(largest, std::fabs(double{one[i]} - other.at(i)) / unit);
  }
  return largest;
}

TEST(MonteCarlo, MovesWhatIsRoundedByAUnitAndNothingElse) {
  Observation plain = observe(kNoisy);
  Observation noisy = observe(kNoisy, in("monte_carlo", 7));
  ASSERT_FALSE(noisy.calls.at(0).exception) << noisy.calls[0].exception->message;
  for (std::size_t number : {0, 1, 2}) {
    auto before = elements<float>(tensor(plain, out(plain, number)));
    auto after = elements<float>(tensor(noisy, out(noisy, number)));
    EXPECT_NE(before, after) << number;
    EXPECT_LE(largest_step(before, after), 8) << number;
  }
  EXPECT_EQ(tensor(noisy, out(noisy, 2)).bytes, tensor(noisy, out(noisy, 3)).bytes) << "relu rounds nothing";
  EXPECT_NE(tensor(plain, out(plain, 4)).bytes, tensor(noisy, out(noisy, 4)).bytes) << "half() narrows";
  EXPECT_EQ(tensor(plain, out(plain, 5)).bytes, tensor(noisy, out(noisy, 5)).bytes) << "random numbers are the same";
  EXPECT_EQ(tensor(plain, out(plain, 6)).bytes, tensor(noisy, out(noisy, 6)).bytes) << "products of integers are exact";
  EXPECT_EQ(tensor(plain, out(plain, 2)).version, tensor(noisy, out(noisy, 2)).version);
  EXPECT_EQ(plain.calls[0].mode, noisy.calls[0].mode);
  auto before = elements<float>(tensor(plain, labelled(plain.calls[0].gradients, "inputs[0]")));
  auto after = elements<float>(tensor(noisy, labelled(noisy.calls[0].gradients, "inputs[0]")));
  EXPECT_NE(before, after);
  EXPECT_LE(largest_step(before, after), 8);
}

// Counts and what is computed of them is compared, so it must not move; the same operators round other numbers.
TEST(MonteCarlo, LeavesAloneWhatNoCompilerRounds) {
  const std::string source = R"(
import torch
def all_of(index, x):
    wide = x.double()
    zeros = torch.zeros(3, dtype=x.dtype)
    return [zeros.index_add(0, index, x), zeros.scatter_add(0, index, x),
            zeros.index_put((index,), x, accumulate=True),
            zeros.scatter_reduce(0, index, x, "mean", include_self=False), torch.bincount(index, x),
            x / 4, 1 / (x * 0 + 8), (x * x).sqrt(), x.pow(2), x**3, x[:3].prod(), x[:3].cumprod(0), x.mean(),
            torch.nn.functional.avg_pool2d(x.reshape(1, 1, 2, 4), 2), 1 - x, wide * 3 + 1, (wide * wide).sqrt() / 2]
def make_inputs():
    index = torch.tensor([0, 0, 1, 1, 2, 2, 2, 2])
    return (index, torch.arange(1.0, 9.0), torch.rand(8) + 1)
def program(index, whole, other):
    return all_of(index, whole), all_of(index, other), whole / 3, whole[:7].mean(), torch.tensor([2.0**24, 3.0]).mean()
)";
  const Observation plain = observe(source);
  ASSERT_FALSE(plain.calls.at(0).exception) << plain.calls[0].exception->message;
  const auto bytes = [](const Observation& seen, int part, std::size_t i) {
    return tensor(seen, out(seen, part).items.at(i)).bytes;
  };
  // Quotients by powers of two, a difference of numbers of a size, and float32 numbers in float64.
  const std::set<std::size_t> exact_for_all = {5, 6, 14, 15, 16};
  std::set<std::size_t> moved;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Observation noisy = observe(source, in("monte_carlo", seed));
    ASSERT_FALSE(noisy.calls.at(0).exception) << noisy.calls[0].exception->message;
    for (std::size_t i = 0; i < out(plain, 0).items.size(); ++i) {
      EXPECT_EQ(bytes(noisy, 0, i), bytes(plain, 0, i)) << i;
      if (bytes(noisy, 1, i) != bytes(plain, 1, i)) moved.insert(i);
    }
    EXPECT_NE(tensor(noisy, out(noisy, 2)).bytes, tensor(plain, out(plain, 2)).bytes) << "a third";
  }
  for (std::size_t i = 0; i < out(plain, 0).items.size(); ++i)
    EXPECT_EQ(moved.contains(i), !exact_for_all.contains(i)) << i;
}

TEST(MonteCarlo, TheSeedDecidesEveryBit) {
  auto bytes = [](std::uint64_t seed) {
    std::string all;
    for (const TensorRecord& record : observe(kNoisy, in("monte_carlo", seed)).tensors) all += record.bytes;
    return all;
  };
  EXPECT_EQ(bytes(1), bytes(1));
  EXPECT_NE(bytes(1), bytes(2));
}

TEST(MonteCarlo, ReachesItemsListsComplexNumbersAndSubclasses) {
  std::string source = R"(
import torch
class Marked(torch.Tensor):
    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)
    def __init__(self, inner):
        self.inner = inner
    def __tensor_flatten__(self):
        return ["inner"], None
    @classmethod
    def __torch_dispatch__(cls, function, kinds, arguments, keywords=None):
        plain = [item.inner if isinstance(item, Marked) else item for item in arguments]
        return cls(function(*plain, **(keywords or {})))
def make_inputs():
    return (torch.linspace(0.1, 0.9, 64),)
def program(x):
    many = [x.clone(), x.clone()]
    torch._foreach_mul_(many, 0.3)
    zeros = torch.tensor([0.0, float("inf"), float("nan")]) * 0.3
    return torch.sin(x).sum().item(), many, torch.complex(x, x).exp(), zeros, Marked(x).exp()
)";
  Observation plain = observe(source);
  Observation noisy = observe(source, in("monte_carlo", 3));
  ASSERT_FALSE(noisy.calls.at(0).exception) << noisy.calls[0].exception->message;
  EXPECT_NE(out(plain, 0).text, out(noisy, 0).text);
  EXPECT_NE(tensor(plain, out(plain, 1).items.at(1)).bytes, tensor(noisy, out(noisy, 1).items.at(1)).bytes);
  EXPECT_NE(tensor(plain, out(plain, 2)).bytes, tensor(noisy, out(noisy, 2)).bytes);
  EXPECT_EQ(tensor(plain, out(plain, 3)).bytes, tensor(noisy, out(noisy, 3)).bytes);
  EXPECT_NE(tensor(plain, labelled(out(plain, 4), "inner")).bytes,
            tensor(noisy, labelled(out(noisy, 4), "inner")).bytes);
}

// One output of each operator of torch's control flow, without the counters of the loop and the scan.
constexpr const char* kControlFlow = R"(
import functools
import torch
def make_inputs():
    return (torch.linspace(0.1, 0.9, 64), torch.tensor(True))
def program(x, chosen):
    flow = torch.ops.higher_order
    step = functools.partial(lambda *a, combine_fn: combine_fn(*a), combine_fn=lambda s, a: (torch.sin(s + a), s * a))
    return (flow.cond(chosen, lambda a: (torch.sin(a),), lambda a: (torch.cos(a),), (x,))[0],
            flow.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, torch.tanh(a) * 1.3), (torch.tensor(0), x), ())[1],
            flow.map_impl(lambda a: (torch.sigmoid(a),), (x,), ())[0],
            flow.scan(step, (torch.ones(()),), (x,), ())[1])
)";

TEST(MonteCarlo, ReachesWhatControlFlowCalls) {
  Observation plain = observe(kControlFlow);
  ASSERT_FALSE(plain.calls.at(0).exception) << plain.calls[0].exception->message;
  for (const char* precision : {"monte_carlo", "other_choices"}) {
    Observation other = observe(kControlFlow, in(precision, 3));
    ASSERT_FALSE(other.calls.at(0).exception) << precision << ": " << other.calls[0].exception->message;
    for (std::size_t number : {0, 1, 2, 3}) {
      auto before = elements<float>(tensor(plain, out(plain, number)));
      auto after = elements<float>(tensor(other, out(other, number)));
      EXPECT_EQ(before == after, std::string_view(precision) == "other_choices") << precision << " " << number;
      EXPECT_LE(largest_step(before, after), 64) << number;
    }
  }
}

TEST(MonteCarlo, ReachesCompositeOperatorsInInferenceMode) {
  constexpr const char* kComposite = R"(
import torch
def make_inputs():
    return (torch.linspace(0.1, 0.9, 16).reshape(4, 4),)
def program(x):
    with torch.inference_mode():
        return torch.matmul(x, x), torch.square(x), torch.nn.functional.cosine_similarity(x, x.flip(0), 1)
)";
  Observation plain = observe(kComposite);
  Observation noisy = observe(kComposite, in("monte_carlo", 3));
  ASSERT_FALSE(noisy.calls.at(0).exception) << noisy.calls[0].exception->message;
  for (std::size_t number : {0, 1, 2}) {
    auto before = elements<float>(tensor(plain, out(plain, number)));
    auto after = elements<float>(tensor(noisy, out(noisy, number)));
    EXPECT_NE(before, after) << number;
    EXPECT_LE(largest_step(before, after), 16) << number;
  }
}

TEST(Precision, MonteCarloReadsWhatIsNormalisedTwice) {
  std::string source = R"(
import torch
def make_inputs():
    return (torch.linspace(1, 1.9, 12).reshape(4, 3),)
def program(x):
    group = torch.nn.functional.group_norm
    return group(x, 3), torch.nn.functional.layer_norm(x[:, :1], (1,)), group(x * 0, 3)
)";
  Observation plain = observe(source);
  Observation noisy = observe(source, in("monte_carlo", 3));
  const auto largest = [](const Observation& seen, int i) {
    float most = 0;
    for (float x : elements<float>(tensor(seen, out(seen, i)))) most = std::max(most, std::abs(x));
    return most;
  };
  for (int i : {0, 1, 2}) EXPECT_EQ(largest(plain, i), 0) << i;
  // One unit in the last place of 1 to 2, times the reciprocal of the square root of 1e-5.
  EXPECT_NEAR(largest(noisy, 0), 3.77e-5, 1e-6);
  EXPECT_NEAR(largest(noisy, 1), 3.77e-5, 1e-6);
  EXPECT_EQ(largest(noisy, 2), 0);
}

TEST(Precision, MonteCarloMovesSumsOfManyTermsByMoreThanAUnit) {
  std::string source = R"(
import torch
def make_inputs():
    return (torch.full((65536,), 0.3), torch.linspace(0.1, 0.9, 65536), torch.ones(65536), torch.linspace(0.1, 0.9, 64))
def program(alike, many, exact, few):
    return (alike.sum(), many.mean(), exact.sum(), few.sum(), torch.nn.functional.mse_loss(alike, alike * 2),
            many.norm(), torch.linalg.vector_norm(many.reshape(4, -1), 2, 1, True).sum(),
            torch.nn.functional.mse_loss(alike * 0, many), many.var())
)";
  const Observation plain = observe(source);
  std::vector<double> farthest(9);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Observation noisy = observe(source, in("monte_carlo", seed));
    for (std::size_t i = 0; i < farthest.size(); ++i)
      farthest[i] = std::max(farthest[i], largest_step(elements<float>(tensor(plain, out(plain, i))),
                                                       elements<float>(tensor(noisy, out(noisy, i)))));
  }
  EXPECT_GT(farthest[0], 100);
  EXPECT_GT(farthest[1], 4);
  EXPECT_LT(farthest[1], 40);
  EXPECT_EQ(farthest[2], 0) << "ones are added without rounding";
  EXPECT_LE(farthest[3], 3);
  EXPECT_GT(farthest[4], 100);
  for (std::size_t i : {5, 6}) EXPECT_GT(farthest[i], 4) << i;
  for (std::size_t i : {7, 8}) EXPECT_LT(farthest[i], 100) << "its terms are not alike: " << i;
}

TEST(Precision, Float32CastsHalfTypesOnlyAndAutocastCastsNothing) {
  std::string source = R"(
import torch
def make_inputs():
    x = torch.full((4,), 0.1, dtype=torch.float16)
    return (x, x[1:], torch.full((2, 2), 0.1), torch.ones(2, dtype=torch.float64))
def program(x, y, z, w):
    y.mul_(3)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        inside = torch.is_autocast_enabled("cpu")
        product = z @ z
    copy = z.half()
    copy.zero_()
    return x, product, inside, w, z
)";
  Observation seen = observe(source, in("float32"));
  ASSERT_FALSE(seen.calls.at(0).exception) << seen.calls[0].exception->message;
  const TensorRecord& x = tensor(seen, out(seen, 0));
  EXPECT_EQ(x.dtype, "float32");
  EXPECT_EQ(x.storage, tensor(seen, seen.calls[0].inputs.items.at(1)).storage);
  EXPECT_EQ(elements<float>(x)[3], 3 * 0.0999755859375F);
  EXPECT_EQ(tensor(seen, out(seen, 1)).dtype, "float32");
  EXPECT_EQ(out(seen, 2).text, "True");
  EXPECT_EQ(tensor(seen, out(seen, 3)).dtype, "float64");
  EXPECT_EQ(elements<float>(tensor(seen, out(seen, 4)))[0], 0.1F) << "a conversion is a copy";
  EXPECT_EQ(seen.calls[0].mode.at("autocast"), "False");
  EXPECT_EQ(tensor(observe(source), out(observe(source), 1)).dtype, "bfloat16") << "autocast is back";
}

// What a file computes when it is loaded reaches the program in other ways than by a global, too.
TEST(Precision, CastsTheDefaultsOfParameters) {
  const char* source = R"(
import torch
def kept(x=torch.ones(2), *, y=torch.ones(3)):
    return x, y
class Holder:
    def method(self, x=torch.ones(4)):
        return x
def make_inputs():
    return (torch.ones(1),)
def program(x):
    return (*kept(), Holder().method(), x)
)";
  const Observation seen = observe(source, in("float64"));
  ASSERT_FALSE(seen.calls.at(0).exception) << seen.calls[0].exception->message;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(tensor(seen, out(seen, i)).dtype, "float64") << i;
}

TEST(Precision, WhatIsConjugatedOrNegatedBesideItsBaseStaysSo) {
  const std::string source = R"(
import torch
def make_inputs():
    x = torch.full((2,), 1 + 2j)
    leaf = torch.full((2,), 3 + 4j).requires_grad_()
    return (x, x.conj(), torch.full((2,), 1 + 2j).conj().imag, leaf.conj())
def program(x, y, z, w):
    x.add_(1j)
    return [str(item.tolist()) for item in (x, y, z, w)]
)";
  const Observation plain = observe(source);
  EXPECT_EQ(out(plain, 1).text, "[(1-3j), (1-3j)]");
  EXPECT_EQ(observe(source, in("float64")).calls.at(0).output, plain.calls.at(0).output);
}

TEST(Values, AreDrawnInEachTensorsRangeAndNothingElseChanges) {
  std::string source = R"(
import torch
def make_inputs():
    x = torch.linspace(-1, 2, 50)
    return (x, x[40:], torch.arange(4), torch.tensor([True]), torch.tensor([1.0, 5.0, 9.0]), torch.rand(3, requires_grad=True),
            torch.tensor([float("nan"), 0.5, 1.5]), torch.rand(1, 3).expand(2, 3))
def program(*arguments):
    return arguments
)";
  auto drawn = [&](std::uint64_t seed) {
    RunRequest request = eager();
    request.values_seed = seed;
    return observe(source, request);
  };
  Observation plain = drawn(0);
  Observation first = drawn(11);
  Observation again = drawn(11);
  EXPECT_EQ(first, again);
  EXPECT_NE(tensor(first, out(first, 0)).bytes, tensor(drawn(12), out(drawn(12), 0)).bytes);
  for (std::size_t number : {0, 1, 5, 6, 7}) {
    TensorRecord before = tensor(plain, out(plain, number));
    TensorRecord after = tensor(first, out(first, number));
    EXPECT_NE(before.bytes, after.bytes) << number;
    before.bytes = after.bytes;
    EXPECT_EQ(before, after) << number;
  }
  for (std::size_t number : {2, 3}) EXPECT_EQ(tensor(plain, out(plain, number)), tensor(first, out(first, number)));
  for (float value : elements<float>(tensor(first, out(first, 0)))) EXPECT_TRUE(value >= -1 && value <= 2);
  for (float value : elements<float>(tensor(first, out(first, 1)))) EXPECT_TRUE(value >= 1.4F && value <= 2);
  for (float value : elements<float>(tensor(first, out(first, 4)))) EXPECT_EQ(value, std::round(value));
  EXPECT_TRUE(std::isnan(elements<float>(tensor(first, out(first, 6)))[0]));
}

TEST(Memory, IsFilledForTheRunThatAsksForIt) {
  const std::string source = "import torch\ndef program():\n    return (torch.empty(64, dtype=torch.uint8),)\n";
  RunRequest filled = eager();
  filled.memory_fill = 0xB4;
  const auto bytes = [&](const RunRequest& request) {
    const Observation seen = observe(source, request);
    return tensor(seen, out(seen, 0)).bytes;
  };
  const std::string other(64, 0x4B);
  EXPECT_EQ(bytes(filled), other) << "the complement of 0xB4";
  EXPECT_NE(bytes(eager()), other) << "and as it comes again afterwards";
}

TEST(Device, ThatIsNotThereIsOneSentence) {
  RunRequest request = eager();
  request.device = "cuda";
  Outcome outcome = run_one("def program(): return 1\n", request);
  if (const Raised* raised = std::get_if<Raised>(&outcome.ending)) {
    EXPECT_EQ(raised->stage, "backend");
    EXPECT_NE(raised->reason.find("CUDA"), std::string::npos) << raised->reason;
  } else {
    EXPECT_EQ(ending_name(outcome.ending), "finished");  // a machine with a GPU
  }
}

}  // namespace
}  // namespace jp::pyrunner::test
