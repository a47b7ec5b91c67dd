// What a run shows: small programs, and the fields that must record it.
#include <algorithm>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

TEST(Observation, ScalarsAreExact) {
  Observation seen = observe(R"(
class Point:
    def __init__(self):
        self.x = 0.1
        self.me = self
def program():
    return (None, True, 2**70, 0.1, float("nan"), -0.0, 1j, "a\u00e9", b"\x00\xff", {"k": [1]}, {3, 1}, range(3), int, Point())
)");
  const Value& output = seen.calls.at(0).output;
  ASSERT_EQ(output.items.size(), 14u);
  EXPECT_EQ(output.items[0].kind, Value::Kind::kNone);
  EXPECT_EQ(output.items[1].text, "True");
  EXPECT_EQ(output.items[2].text, "1180591620717411303424");
  EXPECT_EQ(output.items[3].text, "0x1.999999999999ap-4");
  EXPECT_EQ(output.items[4].text, "nan");
  EXPECT_EQ(output.items[5].text, "-0x0.0p+0");
  EXPECT_EQ(output.items[7].text, "a\u00e9");
  EXPECT_EQ(output.items[8].text, "00ff");
  EXPECT_EQ(output.items[9].labels.at(0), "'k'");
  EXPECT_EQ(output.items[10].items.at(0).text, "1");
  EXPECT_EQ(output.items[11].text, "range(0, 3)");
  EXPECT_EQ(output.items[12].text, "class int");
  EXPECT_EQ(output.items[13].type, "program.Point");
  EXPECT_EQ(labelled(output.items[13], "me").kind, Value::Kind::kReference);
}

TEST(Observation, AliasesAndIdentities) {
  Observation seen = observe(R"(
import torch
def make_inputs():
    x = torch.arange(6.0)
    return (x, x[2:])
def program(x, y):
    y.mul_(2)
    return x, x.t(), y.clone()
)");
  const CallRecord& call = seen.calls.at(0);
  const TensorRecord& x = tensor(seen, call.inputs.items.at(0));
  const TensorRecord& y = tensor(seen, call.inputs.items.at(1));
  const TensorRecord& same = tensor(seen, call.output.items.at(0));
  const TensorRecord& view = tensor(seen, call.output.items.at(1));
  const TensorRecord& copy = tensor(seen, call.output.items.at(2));
  EXPECT_EQ(x.identity, same.identity);
  EXPECT_NE(x.identity, view.identity);
  EXPECT_EQ(x.storage, y.storage);
  EXPECT_EQ(x.storage, view.storage);
  EXPECT_NE(x.storage, copy.storage);
  EXPECT_EQ(y.offset, 2);
  EXPECT_EQ(x.version, 1);
  EXPECT_EQ(elements<float>(x), (std::vector<float>{0, 1, 4, 6, 8, 10}));
}

TEST(Observation, GlobalsAttributesAndFunctionsAreState) {
  Observation seen = observe(R"(
import torch
COUNT = 0
TABLE = {"a": torch.zeros(2)}
class Config:
    level = 1
def helper():
    pass
helper.calls = 0
def program():
    global COUNT
    COUNT += 1
    TABLE["b"] = 2
    Config.level = 5
    helper.calls = 9
def make_inputs():
    return [(), ()]
)");
  ASSERT_EQ(seen.calls.size(), 2u);
  const Value& state = seen.calls[1].state;
  EXPECT_EQ(labelled(state, "'COUNT'").text, "2");
  EXPECT_EQ(labelled(state, "'Config.level'").text, "5");
  EXPECT_EQ(labelled(state, "'helper.calls'").text, "9");
  EXPECT_EQ(labelled(labelled(state, "'TABLE'"), "'b'").text, "2");
}

TEST(Observation, CallsShareInputsAndBeforeCallChangesGlobals) {
  Observation seen = observe(R"(
import torch
SCALE = 1
made = 0
def make_inputs():
    global made
    made += 1
    x = torch.zeros(1)
    return [(x,), (x,)]
def before_call(i):
    global SCALE
    SCALE = 10 ** i
def program(x):
    x.add_(SCALE)
    print("call", SCALE)
    return x * 1
def observe():
    return made
)");
  ASSERT_EQ(seen.calls.size(), 2u);
  EXPECT_EQ(elements<float>(tensor(seen, seen.calls[0].output))[0], 1);
  EXPECT_EQ(elements<float>(tensor(seen, seen.calls[1].output))[0], 11);
  EXPECT_EQ(seen.calls[1].printed, "call 10\n");
  EXPECT_EQ(seen.observed.text, "1");
}

TEST(Observation, GradientsOfEveryLeafAndClearedBetweenCalls) {
  std::string source = R"(
import torch
w = torch.ones(2, requires_grad=True)
leaf = torch.ones(2, requires_grad=True)
unused = torch.ones(2, requires_grad=True)
def make_inputs():
    x = torch.ones(2, requires_grad=True)
    return [(x, leaf * 2), (x, leaf * 2)]
def program(x, y):
    return x * w, (x * y).sum()
)";
  for (const char* backend : {"", "aot_eager"}) {
    Observation seen = observe(source, *backend ? compiled(backend) : eager());
    ASSERT_EQ(seen.calls.size(), 2u);
    for (const CallRecord& call : seen.calls) {
      const Value& gradients = call.gradients;
      // Cotangents: (-11/16, -5/16) for the first output, 0.6875 - … for the second; see runtime/observe/leaves.py.
      std::vector<float> w = elements<float>(tensor(seen, labelled(gradients, "w")));
      EXPECT_EQ(w, (std::vector<float>{-0.6875F, -0.3125F}));
      std::vector<float> x = elements<float>(tensor(seen, labelled(gradients, "inputs[0]")));
      EXPECT_EQ(x, (std::vector<float>{-0.6875F - 0.125F, -0.3125F - 0.125F}));
      EXPECT_EQ(tensor(seen, labelled(gradients, "inputs[1].leaf[0]")).bytes.size(), 8u);
      EXPECT_EQ(labelled(gradients, "unused").kind, Value::Kind::kNone);
      EXPECT_FALSE(call.backward_exception);
    }
  }
}

TEST(Observation, FramesOfTorchsGraphsAreNamedWithoutThePlaceTheyWereMadeAt) {
  Observation seen = observe(R"(
import torch
def make_inputs():
    return (torch.tensor([7]), torch.ones(2, 3))
def program(index, table):
    return torch.nn.functional.embedding(index, table)
)",
                             compiled("aot_eager"));
  ASSERT_TRUE(seen.calls.at(0).exception);
  std::vector<std::string> graphs;
  for (const Frame& frame : seen.calls[0].exception->frames) {
    EXPECT_EQ(frame.file.find(" from "), std::string::npos) << frame.file;
    if (frame.file == "<eval_with_key>") graphs.push_back(frame.function);
  }
  EXPECT_EQ(graphs, std::vector<std::string>{"forward"});
}

// Dynamo has one message for whatever keeps it from tracing an operator.
TEST(Observation, WhatTheCompilerWrapsStandsAmongTheCauses) {
  const auto causes = [](const std::string& body) {
    const Observation seen =
        observe("import torch\n\n\ndef make_inputs():\n    return (torch.ones(6),)\n\n\n" + body, compiled("eager"));
    const std::optional<ExceptionRecord>& exception = seen.calls.at(0).exception;
    EXPECT_TRUE(exception) << body;
    std::string told;
    if (exception)
      for (const std::string& cause : exception->causes)
        if (cause.find(": ") != std::string::npos) told += cause;
    return told;
  };
  // Torch 2.15 raises it itself, as eager does.
  const std::string refused =
      causes("def program(x):\n    try:\n        return x.view(1)\n    except IndexError:\n        return x\n");
  EXPECT_TRUE(refused.empty() || refused == "builtins.RuntimeError: shape '[1]' is invalid for input of size 6")
      << refused;
  EXPECT_EQ(
      causes(
          "@torch.library.custom_op(\"mine::broken\", mutates_args=())\ndef broken(x: torch.Tensor) -> torch.Tensor:\n"
          "    return x.clone()\n\n\n@broken.register_fake\ndef _(x):\n    raise KeyError(\"no fake\")\n\n\n"
          "def program(x):\n    return broken(x)\n"),
      "builtins.KeyError: 'no fake'");
}

TEST(Observation, ExceptionsAreRecordedAndLaterCallsGoOn) {
  Observation seen = observe(R"(
import torch
class Mine(ValueError):
    pass
def make_inputs():
    return [(1,), (2,)]
def inner(n):
    raise Mine("at %d" % n)
def program(n):
    if n == 1:
        try:
            inner(n)
        except Mine as error:
            raise KeyError("k") from error
    return n
)");
  ASSERT_EQ(seen.calls.size(), 2u);
  ASSERT_TRUE(seen.calls[0].exception);
  const ExceptionRecord& exception = *seen.calls[0].exception;
  EXPECT_EQ(exception.type, "builtins.KeyError");
  EXPECT_EQ(exception.bases.at(0), "builtins.LookupError");
  EXPECT_EQ(exception.causes, std::vector<std::string>{"program.Mine"});
  EXPECT_EQ(exception.frames.at(0), (Frame{"program", "program", 14}));
  EXPECT_EQ(exception.stage, "");
  EXPECT_FALSE(exception.while_compiling);
  EXPECT_EQ(seen.calls[0].exception_line, 14);
  EXPECT_FALSE(seen.calls[1].exception);
  EXPECT_EQ(seen.calls[1].output.text, "2");
}

TEST(Observation, WhatACompiledGraphRaisesIsNotTheCompilers) {
  Observation seen = observe(R"(
import torch
def make_inputs():
    return (torch.ones(2, requires_grad=True), torch.tensor([5]))
def program(x, i):
    return x.index_select(0, i)
)",
                             compiled("aot_eager"));
  ASSERT_TRUE(seen.calls.at(0).exception);
  EXPECT_FALSE(seen.calls[0].exception->while_compiling);
  EXPECT_EQ(seen.calls[0].exception->stage, "runtime");
}

TEST(Observation, RefusalsAndStagesOfTheCompiler) {
  Observation seen = observe(R"(
import torch
COMPILE_OPTIONS = {"fullgraph": True}
def make_inputs():
    return (torch.ones(2),)
def program(x):
    torch._dynamo.graph_break()
    return x + 1
)",
                             compiled("eager"));
  ASSERT_TRUE(seen.calls.at(0).exception);
  const ExceptionRecord& exception = *seen.calls[0].exception;
  EXPECT_EQ(exception.type, "torch._dynamo.exc.Unsupported");
  EXPECT_TRUE(exception.while_compiling);
  EXPECT_TRUE(exception.expected_refusal);
  EXPECT_EQ(exception.stage, "dynamo");
}

TEST(Observation, IteratorsAreDrawnLast) {
  Observation seen = observe(R"(
import torch
def make_inputs():
    return (torch.zeros(1), iter([5, 6, 7]))
def program(x, source):
    def generate():
        for i in range(3):
            x.add_(1)
            yield i
    next(source)
    return generate(), map(str, range(100))
)");
  const CallRecord& call = seen.calls.at(0);
  EXPECT_EQ(call.output.items.at(0).kind, Value::Kind::kIterator);
  EXPECT_TRUE(call.output.items[0].items.empty());
  EXPECT_EQ(elements<float>(tensor(seen, call.inputs.items.at(0)))[0], 0);
  EXPECT_EQ(call.inputs.items.at(1).kind, Value::Kind::kIterator);
  const Value& drawn = labelled(call.late, "iterators");
  EXPECT_EQ(drawn.items.at(0).items.size(), 3u);
  EXPECT_EQ(drawn.items.at(0).index, 0);
  EXPECT_EQ(drawn.items.at(1).items.size(), 64u);
  EXPECT_EQ(drawn.items.at(1).index, 1);
  EXPECT_EQ(elements<float>(tensor(seen, labelled(call.late, "inputs").items.at(0)))[0], 3);
}

TEST(Observation, ModulesShowBuffersAndParameterGradients) {
  std::string source = R"(
import torch
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 2)
        self.register_buffer("seen", torch.zeros(1))
        self.calls = 0
    def forward(self, x):
        self.seen += 1
        self.calls += 1
        return self.linear(x)
program = Model()
def make_inputs():
    return [(torch.ones(1, 2),), (torch.ones(1, 2),)]
)";
  for (const char* backend : {"", "aot_eager"}) {
    Observation seen = observe(source, *backend ? compiled(backend) : eager());
    ASSERT_EQ(seen.calls.size(), 2u);
    const Value& model = labelled(seen.calls[1].state, "'program'");
    EXPECT_EQ(model.type, "program.Model");
    EXPECT_EQ(labelled(model, "calls").text, "2");
    EXPECT_EQ(elements<float>(tensor(seen, labelled(labelled(model, "_buffers"), "'seen'")))[0], 2);
    EXPECT_EQ(labelled(seen.calls[1].gradients, "program.linear.weight").kind, Value::Kind::kTensor);
  }
}

TEST(Observation, WarningsOfTheProgramsOwnLinesEveryTime) {
  for (int i = 0; i < 2; ++i) {
    Observation seen = observe(R"(
import warnings
def program():
    warnings.warn("mine")
)");
    EXPECT_EQ(seen.calls.at(0).warnings, std::vector<std::string>{"UserWarning: mine"});
  }
}

// torch gives some warnings once a process. Whether a program is warned must not depend on those before it.
TEST(Observation, WarningsThatTorchGivesOnceAreGivenEveryTime) {
  for (int i = 0; i < 2; ++i) {
    const Observation seen = observe(R"(
import torch
def program():
    return torch.tensor([1 + 2j]).to(torch.float32)
)");
    ASSERT_EQ(seen.calls.at(0).warnings.size(), 1U);
    EXPECT_NE(seen.calls.at(0).warnings[0].find("Casting complex"), std::string::npos) << seen.calls.at(0).warnings[0];
  }
}

TEST(Observation, BadUseIsOneSentence) {
  auto reason = [](const std::string& source) {
    Outcome outcome = run_one(source, eager());
    const Raised* raised = std::get_if<Raised>(&outcome.ending);
    return raised == nullptr ? "not raised" : raised->stage + ": " + raised->reason;
  };
  EXPECT_TRUE(reason("x = 1\n").starts_with("file: the entry `program` is not defined"));
  EXPECT_TRUE(reason("def program(:\n").starts_with("file: the file raised SyntaxError"));
  EXPECT_TRUE(reason("import torch\ntorch.set_grad_enabled(\n").starts_with("file: the file raised SyntaxError"));
  EXPECT_TRUE(reason("def make_inputs(): return 3\ndef program(): pass\n").starts_with("inputs: `make_inputs()` must"));
  EXPECT_TRUE(reason("def before_call(i): 1 / 0\ndef program(): pass\n").starts_with("before_call: before_call(0)"));
  EXPECT_TRUE(reason("def observe(): 1 / 0\ndef program(): pass\n").starts_with("observe: observe() raised"));
}

TEST(Observation, Float64KeepsValuesStridesAndAliases) {
  RunRequest request = eager();
  request.precision = "float64";
  Observation seen = observe(R"(
import torch
bias = torch.full((2,), 0.1, dtype=torch.float16)
def make_inputs():
    x = torch.full((2, 3), 0.1).t()
    return (x, x[1:], torch.ones(2, requires_grad=True))
def program(x, y, w):
    y.add_(1)
    z = torch.zeros(2, dtype=torch.float32) + bias.float()
    return x, x.half() @ z, w * 2
)",
                             request);
  const CallRecord& call = seen.calls.at(0);
  ASSERT_FALSE(call.exception) << call.exception->message;
  const TensorRecord& x = tensor(seen, call.output.items.at(0));
  EXPECT_EQ(x.dtype, "float64");
  EXPECT_EQ(x.strides, (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(elements<double>(x)[0], static_cast<double>(0.1F));
  EXPECT_EQ(elements<double>(x)[2], static_cast<double>(0.1F) + 1);
  EXPECT_EQ(x.storage, tensor(seen, call.inputs.items.at(1)).storage);
  EXPECT_EQ(tensor(seen, call.output.items.at(1)).dtype, "float64");
  EXPECT_EQ(tensor(seen, labelled(call.gradients, "inputs[2]")).dtype, "float64");
}

}  // namespace
}  // namespace jp::pyrunner::test
