// What is seen of a program beside its outputs: leaves and state wherever they are held, what backward changes, and what
// later calls write to.
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
      for (const char* name : {"inputs[0]", "lazy.w", "output[1]"})
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
    other.grad = torch.full((2,), 7.0)
    return y, y.sum()
)");
  const Value& gradients = seen.calls.at(0).gradients;
  EXPECT_EQ(labelled(gradients, "output[0]").kind, Value::Kind::kTensor);
  EXPECT_EQ(elements<float>(tensor(seen, labelled(gradients, "inputs[1]"))), (std::vector<float>{7, 7}));
}

TEST(Effects, WhatBackwardChangesIsSeenInTheOrderOfItsValues) {
  const Observation seen = observe(R"(
import torch
log = []
other = [1]
counts = torch.zeros(1)
def count(g):
    log.append("c")
    counts.add_(1)
def make_inputs():
    first, second = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    return (first, second)
def program(x, y):
    x.register_hook(lambda g: log.append("a"))
    y.register_hook(lambda g: log.append("b"))
    z = x * y
    z.register_hook(count)
    return z
)");
  const Value& after = labelled(seen.calls.at(0).gradients, "after backward");
  ASSERT_NE(after.text, kMissing);
  EXPECT_EQ(after.labels, std::vector<std::string>{"state"});
  const Value& state = labelled(after, "state");
  EXPECT_EQ(state.labels, (std::vector<std::string>{"'log'", "'counts'"}));
  ASSERT_EQ(state.items.at(0).items.size(), 3U);
  EXPECT_EQ(state.items[0].items[0].text, "a");
  EXPECT_EQ(state.items[0].items[2].text, "c");
  EXPECT_EQ(elements<float>(tensor(seen, state.items.at(1))), std::vector<float>{1});
}

TEST(Effects, ABackwardThatChangesNothingAddsNothing) {
  const Observation seen = observe(R"(
import torch
net = torch.nn.Linear(2, 2)
log = [torch.ones(2), "a", {1.0, 2.0}]
def make_inputs():
    return (torch.ones(2, requires_grad=True),)
def program(x):
    return net(x)
)");
  EXPECT_EQ(labelled(seen.calls.at(0).gradients, "after backward").text, kMissing);
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
  const auto late = [&](const std::string& how) {
    std::string text = source;
    text.replace(text.find("HOW"), 3, how);
    return labelled(observe(text).calls.at(0).late, "overwritten");
  };
  EXPECT_EQ(late("x * 2").text, kMissing);
  EXPECT_EQ(late("shared.add_(x)").text, kMissing) << "the state has it";
  EXPECT_EQ(late("table().add_(x)\nimport functools\n@functools.lru_cache\ndef table():\n    return torch.zeros(2)").labels,
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
__count = 0
names = types.SimpleNamespace(_a=1)
log = io.StringIO()
context = contextvars.ContextVar("context")
thread = threading.local()
def program(acc=[]):
    global __count
    __count += 1
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
    acc.append(1)
)");
  const Value& state = seen.calls.at(0).state;
  for (const char* name : {"'Config.Training.steps'", "'Config.step.calls'", "\"Net.method's n\"", "\"Net.plain's n\"",
                           "'__count'", "'make.<locals>.Local.hits'"})
    EXPECT_EQ(labelled(state, name).text, "1") << name;
  EXPECT_EQ(labelled(state, "\"make.<locals>.Local'.hits\"").text, "2");
  EXPECT_EQ(labelled(state, "'Kind.A.value'").items.size(), 1U);
  EXPECT_EQ(labelled(state, "'Kind.B.value'").text, kMissing);
  EXPECT_EQ(labelled(labelled(state, "'names'"), "_a").text, "2");
  EXPECT_EQ(labelled(labelled(state, "'log'"), "contents").text, "text");
  EXPECT_EQ(labelled(labelled(state, "'context'"), "value").text, "5");
  EXPECT_EQ(labelled(labelled(state, "'thread'"), "n").text, "7");
  EXPECT_EQ(labelled(state, "\"program's default acc\"").items.size(), 1U);
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
