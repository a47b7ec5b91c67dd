// What is seen of a program beside its outputs: leaves and state wherever they are held, what backward changes, and
// what later calls write to.
#include <string>
#include <vector>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

constexpr const char* kMissing = "no such label";

TEST(Effects, LeavesAreFoundWhereverAProgramHoldsThem) {
  const Observation seen = observe(R"(
import torch
def leaf():
    return torch.ones(2, requires_grad=True)
class Slots:
    __slots__ = ("w",)
class Helper:
    def __init__(self):
        self.w = leaf()
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.helper = Helper()
        self._own = leaf()
def around(w):
    def method(self):
        return w
    return method
class Kept:
    w = leaf()
    module = torch.nn.Linear(2, 2)
    method = around(leaf())
    class Inner:
        w = leaf()
def helper():
    pass
helper.w = leaf()
slots = Slots()
slots.w = leaf()
net = Net()
def program(x, w=leaf(), *, v=leaf()):
    return x * w
def make_inputs():
    return (leaf(),)
)");
  const Value& gradients = seen.calls.at(0).gradients;
  for (const char* name : {"inputs[0]", "program's default w", "program's default v", "Kept.w", "Kept.module.weight",
                           "Kept.method's w", "Kept.Inner.w", "helper.w", "slots.w", "net.helper.w", "net._own"})
    EXPECT_NE(labelled(gradients, name).text, kMissing) << name;
  EXPECT_EQ(labelled(gradients, "program's default w").kind, Value::Kind::kTensor);
}

TEST(Effects, LeavesThatBeginInTheCall) {
  const std::string source = R"(
import torch
class Lazy:
    w = None
lazy = Lazy()
def make_inputs():
    return [(torch.ones(2),), (torch.ones(2),)]
def program(x):
    x.requires_grad_()
    if lazy.w is None:
        lazy.w = torch.nn.Parameter(torch.ones(2))
    new = torch.ones(2, requires_grad=True)
    kept = x * 2
    return (lazy.w * kept * new).sum(), new
)";
  for (const char* backend : {"", "aot_eager"}) {
    const Observation seen = observe(source, *backend ? compiled(backend) : eager());
    ASSERT_EQ(seen.calls.size(), 2U);
    for (const CallRecord& call : seen.calls)
      for (const char* name : {"inputs[0]", "lazy.w"})
        EXPECT_EQ(labelled(call.gradients, name).kind, Value::Kind::kTensor) << backend << " " << name;
  }
}

TEST(Effects, GradientsThatAreKeptOrSet) {
  const Observation seen = observe(R"(
import torch
def make_inputs():
    return (torch.ones(2, requires_grad=True), torch.ones(2))
def program(x, other):
    y = x * 2
    y.retain_grad()
    kept.append(y)
    other.grad = torch.full((2,), 7.0)
    return y, y.sum()
kept = []
)");
  const Value& gradients = seen.calls.at(0).gradients;
  EXPECT_EQ(labelled(gradients, "kept[0]").kind, Value::Kind::kTensor);
  EXPECT_EQ(elements<float>(tensor(seen, labelled(gradients, "inputs[1]"))), (std::vector<float>{7, 7}));
}

TEST(Effects, WhatOneHookLeaves) {
  const Observation seen = observe(R"(
import torch
log = []
def make_inputs():
    return [(torch.ones(2, requires_grad=True),), (torch.ones(2, requires_grad=True),)]
def program(x):
    x.register_hook(lambda g: log.append("a"))
    return x * 2
)");
  for (std::size_t call : {0, 1}) {
    const Value& after = seen.calls.at(call).after_backward;
    EXPECT_EQ(after.labels, (std::vector<std::string>{"inputs", "state"}));
    EXPECT_EQ(labelled(labelled(after, "state"), "'log'").items.size(), call + 1);
  }
}

TEST(Effects, WithoutAHookNothingIsAdded) {
  const std::string source = R"(
import torch
net = torch.nn.Linear(2, 2)
def make_inputs():
    return (torch.ones(2, requires_grad=True),)
def program(x):
    return net(x)
)";
  const std::string hook = "    x.register_hook(lambda g: None)\n";
  for (const std::string& text : {source, source + "# hook", source + "# checkpoint\ndef other(x):\n" + hook}) {
    EXPECT_EQ(observe(text).calls.at(0).after_backward.kind, Value::Kind::kNone) << text;
  }
}

TEST(Effects, OnlyOneHookIsLookedAt) {
  const auto looks = [](const std::string& body) {
    const Observation seen = observe("import torch\nlog = []\ndef hook(g):\n    log.append(1)\n" + body +
                                     "\ndef make_inputs():\n    return (torch.ones(2, requires_grad=True),)\n");
    return seen.calls.at(0).after_backward.kind != Value::Kind::kNone;
  };
  const std::string program = "def program(x):\n";
  const std::string helper = "def watch(x):\n    x.register_hook(hook)\n";
  EXPECT_TRUE(looks(program + "    x.register_hook(hook)\n    return x * 2"));
  EXPECT_TRUE(looks(program + "    if x.requires_grad:\n        x.register_hook(hook)\n    return x * 2"));
  EXPECT_FALSE(looks(program + "    for _ in range(2):\n        x.register_hook(hook)\n    return x * 2"));
  EXPECT_FALSE(looks(program + "    x.register_hook(hook)\n    x.register_hook(hook)\n    return x * 2"));
  EXPECT_FALSE(looks(helper + program + "    for one in (x, x * 3):\n        watch(one)\n    return x * 2"));
  EXPECT_FALSE(
      looks("other = torch.ones(2, requires_grad=True)\n" + program + "    x.register_hook(hook)\n    return x * 2"))
      << "a leaf without a gradient";
}

TEST(Effects, WhatALaterCallWritesTo) {
  const std::string source = R"(
import torch
shared = torch.zeros(2)
def make_inputs():
    return [(torch.ones(2),), (torch.ones(2) * 2,)]
def program(x):
    return HOW
)";
  const auto late = [&](const std::string& how, const RunRequest& run = eager()) {
    std::string text = source;
    text.replace(text.find("HOW"), 3, how);
    return observe(text, run).calls.at(0).overwritten;
  };
  EXPECT_TRUE(late("x * 2").empty());
  EXPECT_FALSE(late("shared.add_(x)").empty());
  EXPECT_TRUE(late("shared.add_(x)", compiled("aot_eager")).empty()) << "the state has it";
  EXPECT_EQ(late("table().add_(x)\nimport functools\n@functools.lru_cache\ndef table():\n    return torch.zeros(2)"),
            std::vector<std::string>{"output, tensor 0"});
}

TEST(Effects, StateWhereverAProgramHoldsIt) {
  const Observation seen = observe(R"(
import contextvars, enum, io, threading, types
import torch
class Config:
    class Training:
        steps = 0
    def step(self):
        pass
    step.calls = 0
def counted(function):
    n = 0
    def inner(*arguments):
        nonlocal n
        n += 1
        return function(*arguments)
    return inner
class Net:
    @counted
    def method(self): pass
    plain = staticmethod(counted(lambda: None))
class Kind(enum.Enum):
    A = []
    B = 1
def make():
    class Local:
        hits = 0
    return Local
local = [make(), make()()]
names = types.SimpleNamespace(_a=1)
log = io.StringIO()
context = contextvars.ContextVar("context")
thread = threading.local()
def program():
    Config.Training.steps += 1
    Config.step.calls += 1
    Net().method()
    Net.plain()
    Kind.A.value.append(1)
    local[0].hits += 1
    type(local[1]).hits += 2
    names._a += 1
    log.write("text")
    context.set(5)
    thread.n = 7
)");
  const Value& state = seen.calls.at(0).state;
  for (const char* name : {"'Config.Training.steps'", "'Config.step.calls'", "\"Net.method's n\"", "\"Net.plain's n\"",
                           "'make.<locals>.Local.hits'"})
    EXPECT_EQ(labelled(state, name).text, "1") << name;
  EXPECT_EQ(labelled(state, "\"make.<locals>.Local'.hits\"").text, "2");
  EXPECT_EQ(labelled(state, "'Kind.A.value'").items.size(), 1U);
  EXPECT_EQ(labelled(state, "'Kind.B.value'").text, kMissing);
  EXPECT_EQ(labelled(labelled(state, "'names'"), "_a").text, "2");
  EXPECT_EQ(labelled(labelled(state, "'log'"), "contents").text, "text");
  EXPECT_EQ(labelled(labelled(state, "'context'"), "value").text, "5");
  EXPECT_EQ(labelled(labelled(state, "'thread'"), "n").text, "7");
}

TEST(Effects, ALongListLeavesRoomForWhatComesAfterIt) {
  const Observation seen = observe(R"(
numbers = list(range(210000))
floats = [0.5] * 210000
short = [1, 2.0, "a"]
def program():
    return None
)");
  const Value& state = seen.calls.at(0).state;
  EXPECT_TRUE(labelled(state, "'numbers'").text.starts_with("210000 items, "));
  EXPECT_EQ(labelled(state, "'floats'").kind, Value::Kind::kUnreadable);
  EXPECT_EQ(labelled(state, "'short'").items.size(), 3U);
}

TEST(Effects, StreamsInMemory) {
  const Observation seen = observe(R"(
import io, torch
def program():
    text, data, saved, closed = io.StringIO("a"), io.BytesIO(b"\x01"), io.BytesIO(), io.StringIO()
    torch.save(torch.ones(2), saved)
    closed.close()
    return text, data, saved, closed
)");
  EXPECT_EQ(labelled(out(seen, 0), "contents").text, "a");
  EXPECT_EQ(labelled(out(seen, 1), "contents").text, "01");
  EXPECT_EQ(labelled(out(seen, 2), "contents").text, "an archive");
  EXPECT_EQ(labelled(out(seen, 3), "closed").text, "True");
}

}  // namespace
}  // namespace jp::pyrunner::test
