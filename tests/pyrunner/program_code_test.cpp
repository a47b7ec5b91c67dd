// Names, streams and classes of a program's own, where the runtime looks at its values.
#include <string>
#include <vector>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

// The fixed cotangents of an output of two elements (observe/leaves.py).
constexpr float kFirst = -0.6875F;
constexpr float kSecond = -0.3125F;

std::vector<float> gradient(const Observation& seen, const std::string& label) {
  const Value& value = labelled(seen.calls.at(0).gradients, label);
  return value.kind == Value::Kind::kTensor ? elements<float>(tensor(seen, value)) : std::vector<float>{};
}

TEST(ProgramCode, AGlobalNamedInputsIsNotTheArguments) {
  const Observation seen = observe(R"(
import torch
inputs = [torch.ones(1, requires_grad=True)]
def make_inputs():
    return (torch.ones(2, requires_grad=True),)
def program(x):
    return x * 3 * inputs[0]
)");
  EXPECT_EQ(gradient(seen, "inputs[0]"), (std::vector<float>{3 * kFirst, 3 * kSecond}));
  EXPECT_EQ(gradient(seen, "global inputs[0]"), (std::vector<float>{3 * (kFirst + kSecond)}));
}

TEST(ProgramCode, AClassOfItsOwnDoesNotDecideWhatItHolds) {
  const Observation seen = observe(R"(
import torch
class Odd(dict):
    def items(self):
        raise KeyError("odd")
    __iter__ = keys = values = items
class Counted(list):
    def __iter__(self):
        raise KeyError("counted")
class Broken(torch.nn.Module):
    def __init__(self):
        pass
odd = Odd(w=torch.ones(2, requires_grad=True))
counted = Counted([torch.ones(2, requires_grad=True)])
broken = Broken()
def program():
    return dict.__getitem__(odd, "w") * list.__getitem__(counted, 0) * 3
)");
  ASSERT_FALSE(seen.calls.at(0).exception) << seen.calls[0].exception->message;
  EXPECT_EQ(gradient(seen, "odd['w']"), (std::vector<float>{3 * kFirst, 3 * kSecond}));
  EXPECT_EQ(gradient(seen, "counted[0]"), (std::vector<float>{3 * kFirst, 3 * kSecond}));
}

TEST(ProgramCode, BrokenBuiltinsDoNotKeepGradientsFromBeingRead) {
  const Observation seen = observe(R"(
import builtins
import torch
weight = torch.ones(2, requires_grad=True)
def make_inputs():
    builtins.issubclass = None
    return (torch.ones(2),)
def program(x):
    return x * weight * 2
)");
  EXPECT_EQ(gradient(seen, "weight"), (std::vector<float>{2 * kFirst, 2 * kSecond}));
}

TEST(ProgramCode, WhatItPrintedIsReadHoweverItLeavesItsOutput) {
  for (const char* leaves : {"sys.stdout.close()", "sys.stdout.buffer.close()", "sys.stdout = io.StringIO()",
                             "sys.stdout = None", "sys.stdout.detach()", "del sys.stdout", "sys.stdout.flush()"}) {
    const Observation seen =
        observe(std::string("import io, sys\ndef program():\n    print('before')\n    ") + leaves + "\n    return 1\n");
    ASSERT_EQ(seen.calls.size(), 1U) << leaves;
    EXPECT_EQ(seen.calls[0].printed, "before\n") << leaves;
  }
}

}  // namespace
}  // namespace jp::pyrunner::test
