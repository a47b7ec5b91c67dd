// Inductor starts a C++ compiler, which reads headers that all processes share, and writes only where the sandbox
// permits.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "common.h"
#include "pyrunner/standalone.h"

namespace jp::pyrunner::test {
namespace {

// Needs a precompiled header of its own, which no cache has.
constexpr const char* kOtherFlags = R"(
import torch._inductor.config
torch._inductor.config.cpp.enable_unsafe_math_opt_flag = True
)";

constexpr const char* kByItself = R"(
import sys
import torch

@torch.compile
def program(x):
    return x * 2 + 1

sys.exit(7 if program(torch.ones(3)).tolist() == [3.0, 3.0, 3.0] else 1)
)";

constexpr const char* kProgram = R"(
import torch
def make_inputs():
    return (torch.ones(3),)
def program(x):
    return x * 2 + 1
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
TEST(Inductor, CompilesInAProgramByItself) { EXPECT_EQ(status_of(kByItself), 7); }
TEST(Inductor, CompilesInAProgramByItselfWithOtherFlags) {
  EXPECT_EQ(status_of(std::string(kOtherFlags) + kByItself), 7);
}

}  // namespace
}  // namespace jp::pyrunner::test
