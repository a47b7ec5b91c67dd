// Every kind of value: recorded so that different values differ, the same in every run, and never a crash.
#include <fmt/format.h>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

// One label for each value; VARIANT 0 and 1 differ in every one of them.
constexpr const char* kKinds = R"(
import collections, dataclasses, datetime, decimal, enum, fractions, functools, pathlib, types, weakref
import numpy
import torch

class Listed(list):
    def __iter__(self):
        raise ValueError("never asked")
class Number(int):
    pass
class Slots:
    __slots__ = ("__hidden",)
    def __init__(self, n):
        self.__hidden = n
@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    n: int
class Colour(enum.Enum):
    A = 0
    B = 1
Pair = collections.namedtuple("Pair", "x y")
class Sub(torch.Tensor):
    pass
class Wrapper(torch.Tensor):
    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)
    def __init__(self, inner):
        self.inner = inner
    def __tensor_flatten__(self):
        return ["inner"], None
    @classmethod
    def __torch_dispatch__(cls, function, kinds, arguments, keywords=None):
        raise RuntimeError("never asked")

def closure(n):
    def inner():
        return n
    return inner

def program():
    n = VARIANT
    listed = Listed([n])
    tagged = Listed([])
    tagged.tag = n
    number = Number(3)
    number.tag = n
    marked = torch.ones(2)
    marked.tag = n
    sub = torch.ones(2).as_subclass(Sub)
    sub.tag = n
    ordered = collections.OrderedDict(a=1, b=2)
    ordered.move_to_end("ab"[n])
    cycle = [n]
    cycle.append(cycle)
    error = ValueError("x")
    error.__cause__ = KeyError(n)
    cell = types.SimpleNamespace(n=n)
    t = torch.full((2,), float(n))
    return {
        "listed": listed, "tagged": tagged, "number": number, "marked": marked, "sub": sub, "ordered": ordered,
        "cycle": cycle, "error": error, "slots": Slots(n), "frozen": Frozen(n), "colour": Colour(n), "pair": Pair(n, 1),
        "wrapper": Wrapper(t), "closure": closure(n), "partial": functools.partial(print, n), "bound": [n].append,
        "fraction": fractions.Fraction(1, n + 2), "decimal": decimal.Decimal(n), "date": datetime.date(2020, 1, n + 1),
        "path": pathlib.PurePath(str(n)), "slice": slice(n, t), "range": range(n), "default": collections.defaultdict([list, dict][n]),
        "deque": collections.deque([1], maxlen=n + 1), "array": numpy.arange(3)[::-1] + n, "objects": numpy.array([n, None]),
        "words": numpy.array(["ab"[n]]), "scalar": numpy.float32(n), "complex": numpy.complex64(n), "size": torch.Size([n]),
        "dtype": [torch.int8, torch.int16][n], "set": {n, "a"}, "tensors": frozenset([t, torch.ones(1)]), "view": {n: 1}.keys(),
        "bytes": bytearray([n]), "memory": memoryview(bytes([n])), "generator": torch.Generator().manual_seed(n),
        "sparse": t.reshape(1, 2).to_sparse(), "csr": (t + 1).reshape(1, 2).to_sparse_csr(), "weak": weakref.ref([int, float][n]),
        "nested": torch.nested.nested_tensor([t, torch.ones(3)]), "storage": t.untyped_storage(), "class": [Slots, Frozen][n],
        "parameter": [torch.ones(1), torch.nn.Parameter(torch.ones(1))][n], "module": [types, enum][n],
        "size_of_type": [1, 1.0][n], "truth": [1, True][n], "mapping": types.MappingProxyType({"a": n}), "nan": [0.0, -0.0][n],
    }
)";

Observation variant(int number) { return observe(fmt::format("VARIANT = {}\n{}", number, kKinds)); }

// A value with its tensors' shapes, types and bytes in place, for comparing across observations.
std::string flat(const Observation& seen, const Value& value) {
  std::string text = fmt::format("{} {}: {}", static_cast<int>(value.kind), value.type, value.text);
  if (value.kind == Value::Kind::kTensor) {
    const TensorRecord& record = tensor(seen, value);
    text += record.dtype + record.bytes + record.unreadable;
  }
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    text += fmt::format("({}{})", value.labels.empty() ? "" : value.labels[i], flat(seen, value.items[i]));
  }
  return text;
}

TEST(Kinds, OfValuesAreToldApartAndTheSameEachTime) {
  Observation zero = variant(0);
  Observation again = variant(0);
  Observation one = variant(1);
  ASSERT_FALSE(zero.calls.at(0).exception) << zero.calls[0].exception->message;
  EXPECT_EQ(zero.calls[0].output, again.calls.at(0).output);
  EXPECT_EQ(zero.tensors, again.tensors);
  const Value& output = zero.calls[0].output;
  ASSERT_GE(output.labels.size(), 49u);
  for (const std::string& label : output.labels) {
    std::string text = flat(zero, labelled(output, label));
    EXPECT_NE(text, flat(one, labelled(one.calls.at(0).output, label))) << label << " " << text;
    EXPECT_EQ(text.find("while read"), std::string::npos) << label << " " << text;
    EXPECT_EQ(text.find("0x7"), std::string::npos) << label << " holds an address: " << text;
  }
}

TEST(Kinds, WhatCannotBeReadSaysSo) {
  Observation seen = observe(R"(
import torch
class Bare(torch.Tensor):
    @staticmethod
    def __new__(cls):
        return torch.Tensor._make_wrapper_subclass(cls, (3,), dtype=torch.float32)
    @classmethod
    def __torch_dispatch__(cls, function, kinds, arguments, keywords=None):
        raise RuntimeError("never asked")
class Liar:
    @property
    def __class__(self):
        return torch.Tensor
class Shy:
    def __getattribute__(self, name):
        raise KeyError(name)
def program():
    released = memoryview(b"a")
    released.release()
    return Bare(), torch.ones(2, device="meta"), Liar(), Shy(), released
)");
  ASSERT_FALSE(seen.calls.at(0).exception) << seen.calls[0].exception->message;
  const std::vector<Value>& items = seen.calls[0].output.items;
  EXPECT_FALSE(tensor(seen, items.at(0)).unreadable.empty());
  EXPECT_FALSE(tensor(seen, items.at(1)).unreadable.empty());
  for (std::size_t i : {2, 3, 4}) EXPECT_EQ(items.at(i).kind, Value::Kind::kUnreadable) << i;
}

TEST(Kinds, WhatCannotBeReadDoesNotStandInTheWayOfBackward) {
  Observation seen = observe(R"(
import torch
class Shy:
    def __getattribute__(self, name):
        raise KeyError(name)
def make_inputs():
    return (torch.ones(2, requires_grad=True),)
def program(x):
    deep = []
    for _ in range(5000):
        deep = [deep]
    return Shy(), deep, x * 2
)");
  ASSERT_FALSE(seen.calls.at(0).backward_exception) << seen.calls[0].backward_exception->message;
  EXPECT_EQ(elements<float>(tensor(seen, labelled(seen.calls[0].gradients, "inputs[0]")))[0], -1.375F);
}

TEST(Kinds, IteratorsAmongArgumentsShowWhereTheyStandAndAreNotMoved) {
  Observation seen = observe(R"(
import itertools
def numbers():
    yield 1
    yield 2
def make_inputs():
    arguments = (iter([1, 2, 3]), numbers(), itertools.count(5), zip([1], [2]))
    return [arguments, arguments]
def program(items, generator, count, pairs):
    return next(items), next(generator), next(count)
)");
  ASSERT_EQ(seen.calls.size(), 2u);
  const std::vector<Value>& first = seen.calls[0].inputs.items;
  ASSERT_EQ(first.at(0).items.size(), 2u);
  EXPECT_EQ(first[0].items[0].text, "2");
  EXPECT_EQ(first.at(1).text, "GEN_SUSPENDED");
  EXPECT_EQ(first.at(2).text, "count(6)");
  EXPECT_EQ(first.at(3).text, "");
  EXPECT_EQ(seen.calls[1].output.items.at(0).text, "2");
  EXPECT_EQ(seen.calls[1].output.items.at(1).text, "2");
}

TEST(Kinds, StateOfTorchIsSeenAndPutBack) {
  std::string source = R"(
import torch
def program():
    torch.set_default_device("meta")
    torch.set_float32_matmul_precision("medium")
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.set_autocast_enabled("cuda", True)
    torch.autograd.set_multithreading_enabled(False)
    torch.set_printoptions(precision=2)
)";
  const std::map<std::string, std::string> changed = observe(source).calls.at(0).mode;
  EXPECT_EQ(changed.at("default_device"), "meta");
  EXPECT_EQ(changed.at("matmul_precision"), "medium");
  EXPECT_EQ(changed.at("deterministic_warns"), "True");
  EXPECT_EQ(changed.at("autocast_cuda"), "True");
  Observation next = observe("import torch\ndef program():\n    return repr(torch.tensor(1.2345))\n");
  EXPECT_EQ(next.calls.at(0).output.text, "tensor(1.2345)");
  std::map<std::string, std::string> mode = next.calls[0].mode;
  EXPECT_EQ(mode.at("default_device"), "cpu");
  EXPECT_EQ(mode.at("matmul_precision"), "highest");
  EXPECT_EQ(mode.at("deterministic_warns"), "False");
  EXPECT_EQ(mode.at("autocast_cuda"), "False");
  EXPECT_EQ(mode.at("multithreading"), "True");
}

TEST(Kinds, GradientsOfTheProgramsOwnBackwardAreSeen) {
  Observation seen = observe(R"(
import torch
def make_inputs():
    x = torch.ones(2, requires_grad=True)
    return [(x,), (x,)]
def program(x):
    (x * 3).sum().backward()
)");
  for (const CallRecord& call : seen.calls) {
    EXPECT_EQ(elements<float>(tensor(seen, labelled(call.gradients, "inputs[0]")))[0], 3);
  }
}

TEST(Kinds, GlobalsThatTheFileNeitherHadNorNamesAreNotItsState) {
  std::string source = R"(
import torch
def helper():
    return 3
helper = torch._dynamo.assume_constant_result(helper)
def program(x):
    global counted
    counted = 1
    return x * helper()
def make_inputs():
    return (torch.ones(2),)
)";
  const Observation seen = observe(source, compiled("eager"));
  const Value& state = seen.calls.at(0).state;
  EXPECT_EQ(labelled(state, "'counted'").text, "1");
  EXPECT_EQ(labelled(state, "'helper_0'").text, "no such label") << "Dynamo put it there";
  source += "globals\n";
  EXPECT_NE(labelled(observe(source, compiled("eager")).calls.at(0).state, "'helper_0'").text, "no such label");
}

TEST(Kinds, AModuleThatWasCompiledHasNoNewState) {
  const std::string source = R"(
import torch
program = torch.nn.Linear(2, 2)
def make_inputs():
    return (torch.ones(2),)
)";
  EXPECT_EQ(observe(source, compiled("eager")).calls.at(0).state, observe(source).calls.at(0).state);
}

}  // namespace
}  // namespace jp::pyrunner::test
