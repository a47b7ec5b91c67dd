// Inductor starts a C++ compiler, which reads headers that all processes share, and writes only where the sandbox
// permits.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "codec/codec.h"
#include "common.h"
#include "pyrunner/standalone.h"

namespace jp::pyrunner::test {
namespace {

// Needs a precompiled header of its own, which no cache has.
constexpr const char* kOtherFlags = R"(
import torch._inductor.config
torch._inductor.config.cpp.enable_unsafe_math_opt_flag = True
)";

// Ends with 7 if both ways give what eager gives.
constexpr const char* kByItself = R"(
import sys
import torch
import torch._inductor.config

def program(x):
    return x * 2 + 1

right = torch.compile(program)(torch.ones(3)).tolist() == [3.0, 3.0, 3.0]
torch.compiler.reset()
torch._inductor.config.cpp.enable_unsafe_math_opt_flag = True
right = right and torch.compile(program)(torch.ones(3)).tolist() == [3.0, 3.0, 3.0]
sys.exit(7 if right else 1)
)";

constexpr const char* kProgram = R"(
import torch
def make_inputs():
    return (torch.ones(3),)
def program(x):
    return x * 2 + 1
)";

// Kernels of several kinds: elementwise with vectors, sums along rows and columns, a scan, indices, integers.
constexpr const char* kKernels = R"(
import torch
def make_inputs():
    x = torch.linspace(-3, 3, 462).reshape(21, 22)
    return (x.requires_grad_(), torch.arange(462).reshape(21, 22) % 7, x.detach().double())
def program(x, n, d):
    a = torch.erf(x).softmax(1) * torch.lgamma(x.exp())
    b = torch.cumsum(a, 0) + a.mean(0)
    c = torch.gather(b, 1, n % 22)
    return b, c.sum(1), (n // 3).remainder(2), torch.where(c > 0, c, a).argmax(0), d.std(), torch.sinh(d).prod(1)
)";

// What g++ is told, which $JITPROBE_CXX of the process says.
constexpr const char* kAsked = R"(
import ctypes
def program():
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_char_p
    return (getenv(b"JITPROBE_CXX") or b"nothing").decode()
)";

int status_of(const std::string& text) {
  const std::string folder = testing::TempDir() + "/inductor-" + std::to_string(getpid());
  return run_standalone(beside(shared_runner().options(), folder), text);
}

void expect_three(const std::string& program) {
  shared_runner().set_limits({});  // a header takes longer than a kernel
  const Observation seen = observe(program, compiled("inductor"));
  shared_runner().set_limits(short_limits());
  ASSERT_EQ(seen.calls.size(), 1u);
  EXPECT_EQ(elements<float>(tensor(seen, seen.calls[0].output)), (std::vector<float>{3, 3, 3}));
}

TEST(Inductor, CompilesInAChild) { expect_three(kProgram); }
TEST(Inductor, CompilesInAChildWithOtherFlags) { expect_three(std::string(kOtherFlags) + kProgram); }
TEST(Inductor, CompilesInAProgramByItselfWithOtherFlagsToo) { EXPECT_EQ(status_of(kByItself), 7); }

TEST(Inductor, ComputesTheSameBitsWithKeptInstances) {
  if (!shared_runner().info().keeps_instances) GTEST_SKIP() << "g++'s plugin is not installed";
  const auto compiled_with = [](bool plain) {
    shared_runner().use_plain_compiler(plain);
    const Observation asked = observe(kAsked);
    EXPECT_EQ(asked.calls.at(0).output.text, plain ? "nothing" : "use");
    return codec::to_json(observe(kKernels, compiled("inductor")));
  };
  shared_runner().set_limits({});
  const codec::Json plain = compiled_with(true);
  const codec::Json kept = compiled_with(false);
  shared_runner().set_limits(short_limits());
  EXPECT_EQ(plain["tensors"], kept["tensors"]);
  EXPECT_EQ(plain["calls"], kept["calls"]);
  EXPECT_EQ(plain["calls"].size(), 1u);
}

}  // namespace
}  // namespace jp::pyrunner::test
