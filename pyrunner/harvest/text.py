"""An instance as the text of a program file. Pure: no torch, no input or output."""

import json
import struct
import textwrap

from . import CannotWrite

WIDTH = 110
SEED = 11

_FORMATS = {"float16": "e", "float32": "f"}
BINARY = {"__add__": "+", "__sub__": "-", "__mul__": "*", "__truediv__": "/", "__floordiv__": "//", "__mod__": "%",
          "__pow__": "**", "__matmul__": "@", "__and__": "&", "__or__": "|", "__xor__": "^", "__lshift__": "<<",
          "__rshift__": ">>", "__eq__": "==", "__ne__": "!=", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
_UNARY = {"__neg__": "-", "__pos__": "+", "__invert__": "~"}


def float_text(value, dtype="float64"):
    """The shortest literal that gives the same element of that dtype."""
    if value != value:
        return 'float("nan")'
    if value in (float("inf"), float("-inf")):
        return f'float("{"-" if value < 0 else ""}inf")'
    code = _FORMATS.get(dtype, "")
    for digits in range(1, 10) if code else ():
        short = repr(float(f"%.{digits}g" % value))
        try:
            if struct.unpack(code, struct.pack(code, float(short)))[0] == value:
                return short
        except OverflowError:  # rounded up beyond the dtype
            pass
    return repr(value)


def element_text(value, dtype):
    if dtype.startswith("complex"):
        part = {"complex64": "float32", "complex32": "float16"}.get(dtype, "float64")
        return f"complex({float_text(value[0], part)}, {float_text(value[1], part)})"
    return float_text(value, dtype) if isinstance(value, float) else repr(value)


def nested_text(texts, shape):
    """Elements in the order of memory as nested lists of that shape."""
    if not shape:
        return texts[0]
    step = len(texts) // shape[0]
    return "[" + ", ".join(nested_text(texts[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])) + "]"


def count(shape):
    total = 1
    for size in shape:
        total *= size
    return total


def dense_order(tensor):
    """The dimensions from the slowest in memory to the fastest when the tensor fills its memory from the start without
    gaps; else None."""
    order = sorted(range(len(tensor["shape"])), key=lambda dim: (-tensor["strides"][dim], dim))
    expected = 1
    for dim in reversed(order):
        if tensor["shape"][dim] != 1 and tensor["strides"][dim] != expected:
            return None
        expected *= tensor["shape"][dim]
    if tensor["offset"]:
        return None
    # Where dimensions of one element stand in memory says nothing.
    moved = [dim for dim in order if tensor["shape"][dim] != 1]
    return list(range(len(order))) if moved == sorted(moved) else order


def _drawn_text(storage, shape):
    dtype, low, high = storage["dtype"], storage["low"], storage["high"]
    sizes = tuple_text([repr(size) for size in shape])
    name = f"torch.{dtype}"
    if dtype == "bool":
        return f"torch.randint(0, 2, {sizes}, generator=g).bool()"
    if low == high:
        return f"torch.full({sizes}, {element_text(low, dtype)}, dtype={name})"
    if isinstance(low, int):
        return f"torch.randint({low}, {min(high + 1, 2**63 - 1)}, {sizes}, dtype={name}, generator=g)"
    bounds = f"{float_text(low)}, {float_text(high)}"
    if dtype.startswith("complex"):
        part = {"complex64": "float32", "complex32": "float16"}.get(dtype, "float64")
        pairs = tuple_text([repr(size) for size in [*shape, 2]])
        return f"torch.view_as_complex(torch.empty({pairs}, dtype=torch.{part}).uniform_({bounds}, generator=g))"
    return f"torch.empty({sizes}, dtype={name}).uniform_({bounds}, generator=g)"


def _plain_text(storage, shape):
    """A contiguous tensor of that shape that fills the storage, which may have a form of its own for the sizes."""
    if "form" in storage:
        return storage["form"].format(tuple_text([repr(size) for size in shape]))
    if "values" not in storage:
        return _drawn_text(storage, shape)
    texts = [element_text(value, storage["dtype"]) for value in storage["values"]]
    if not texts:
        return f"torch.zeros({tuple_text([repr(size) for size in shape])}, dtype=torch.{storage['dtype']})"
    return f"torch.tensor({nested_text(texts, shape)}, dtype=torch.{storage['dtype']})"


def length(storage):
    return len(storage["values"]) if "values" in storage else storage["length"]


def _strided(base, tensor):
    sizes, strides = (tuple_text([repr(one) for one in tensor[key]]) for key in ("shape", "strides"))
    return f"{base}.as_strided({sizes}, {strides}, {tensor['offset']})"


def alone_text(storage, tensor):
    shape = tensor["shape"]
    if 0 in shape:
        return f"torch.zeros({tuple_text([repr(size) for size in shape])}, dtype=torch.{storage['dtype']})"
    order = dense_order(tensor)
    if order is None or count(shape) != length(storage):
        return _strided(_plain_text(storage, [length(storage)]), tensor)
    text = _plain_text(storage, [shape[dim] for dim in order])
    if order == sorted(order):
        return text
    back = [order.index(dim) for dim in range(len(order))]
    return text + (".t()" if back == [1, 0] else f".permute({', '.join(map(str, back))})")


def _ending(tensor, shared):
    text = ".conj()" if tensor.get("conj") else ""
    if tensor.get("requires_grad"):
        text += ".requires_grad_()"
        if not tensor.get("leaf", True) and not shared:
            text += ".clone()"
    return text


def wrapped(line, indent="    "):
    """A long line of numbers over several; what comes behind the numbers stays together."""
    if len(indent + line) <= WIDTH:
        return indent + line
    end = line.rfind("]") + 1
    lines = textwrap.wrap(line[:end] + line[end:].replace(" ", "\0"), WIDTH, initial_indent=indent,
                          subsequent_indent=indent + "    ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace("\0", " ")


def tensor_lines(storages, tensors, prefix, indent="    "):
    """The lines that make the tensors `prefix`0, `prefix`1 …; those that share memory are made of it."""
    lines = []
    users = {}
    for tensor in tensors:
        users.setdefault(tensor["storage"], []).append(tensor)
    for at, sharing in users.items():
        if len(sharing) > 1:
            lines.append(wrapped(f"memory{at} = {_plain_text(storages[at], [length(storages[at])])}", indent))
    for number, tensor in enumerate(tensors):
        shared = len(users[tensor["storage"]]) > 1
        text = _strided(f"memory{tensor['storage']}", tensor) if shared else alone_text(storages[tensor["storage"]], tensor)
        lines.append(wrapped(f"{prefix}{number} = {text}{_ending(tensor, shared)}", indent))
    if any("generator=g" in line for line in lines):
        lines.insert(0, f"{indent}g = torch.Generator().manual_seed({SEED})")
    return lines


def tuple_text(items):
    return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"


def _string(value):
    return json.dumps(value) if value.isascii() and value.isprintable() else repr(value)


class Writer:
    """Trees as text, where arguments are v0, v1 … and what calls give is v<arguments>, …."""

    def __init__(self, arguments, prefix="v"):
        self.arguments = arguments
        self.prefix = prefix

    def result(self, call):
        return f"{self.prefix}{self.arguments + call}"

    def text(self, tree):
        if isinstance(tree, str):
            return _string(tree)
        if isinstance(tree, float):
            return float_text(tree)
        if not isinstance(tree, dict):
            return repr(tree)
        return getattr(self, "_" + tree["is"])(tree)

    def _tensor(self, tree):
        return f"{self.prefix}{tree['at']}"

    def _result(self, tree):
        return self.result(tree["call"]) + "".join(f"[{step!r}]" for step in tree["path"])

    def _float(self, tree):
        return float_text(float(tree["text"]))

    def _complex(self, tree):
        return f"complex({float_text(float(tree['real']))}, {float_text(float(tree['imag']))})"

    def _items(self, tree):
        return [self.text(item) for item in tree["items"]]

    def _list(self, tree):
        return "[" + ", ".join(self._items(tree)) + "]"

    def _tuple(self, tree):
        return tuple_text(self._items(tree))

    def _size(self, tree):
        return f"torch.Size({tuple_text(self._items(tree))})"

    def _slice(self, tree):
        return f"slice({', '.join(self._items(tree))})"

    def _range(self, tree):
        return f"range({', '.join(self._items(tree))})"

    def _dict(self, tree):
        return "{" + ", ".join(f"{self.text(key)}: {self.text(value)}" for key, value in tree["items"]) + "}"

    def _ellipsis(self, tree):
        return "..."

    def _name(self, tree):
        return tree["name"]

    def _device(self, tree):
        return f"torch.device({_string(tree['name'])})"

    def _module(self, tree):
        text = f"{tree['name']}({self.arguments_text(tree['args'], tree['kwargs'])})"
        if tree.get("dtype"):
            text += f".to(torch.{tree['dtype']})"
        return text if tree.get("training", True) else text + ".eval()"

    def arguments_text(self, args, kwargs):
        for name in kwargs:
            if not name.isidentifier():
                raise CannotWrite("a keyword that is no name")
        return ", ".join([self.text(one) for one in args] + [f"{name}={self.text(one)}" for name, one in kwargs.items()])

    def index(self, tree):
        """What stands between the brackets of a subscript."""
        def part(one):
            if isinstance(one, dict) and one["is"] == "slice":
                start, stop, step = ("" if item is None else self.text(item) for item in one["items"])
                return f"{start}:{stop}" + (f":{step}" if step else "")
            return self.text(one)

        if isinstance(tree, dict) and tree["is"] == "tuple" and tree["items"]:
            return ", ".join(map(part, tree["items"])) + ("," if len(tree["items"]) == 1 else "")
        return part(tree)

    def call(self, call):
        """The expression of a call, or (target, value) of an assignment."""
        form, name, args, kwargs = call["form"], call["name"], call["args"], call["kwargs"]
        if form == "function":
            return f"{name}({self.arguments_text(args, kwargs)})"
        receiver = self.text(args[0])
        if form == "get":
            return f"{receiver}.{name}"
        if form == "set":
            return f"{receiver}.{name}", self.text(args[1])
        if name == "__getitem__":
            return f"{receiver}[{self.index(args[1])}]"
        if name == "__setitem__":
            return f"{receiver}[{self.index(args[1])}]", self.text(args[2])
        if name in _UNARY and len(args) == 1:
            return _UNARY[name] + receiver
        operator = self._operator(name, args, kwargs)
        return operator or f"{receiver}.{name}({self.arguments_text(args[1:], kwargs)})"

    def _operator(self, name, args, kwargs):
        if kwargs or len(args) != 2:
            return ""
        left, right = args
        if name not in BINARY and name.startswith("__r"):
            name, left, right = "__" + name[3:], right, left
        if name not in BINARY:
            return ""
        sides = [f"({text})" if text.startswith("-") else text for text in (self.text(left), self.text(right))]
        return f"{sides[0]} {BINARY[name]} {sides[1]}"


def _statements(instance, writer):
    lines = []
    for number, call in enumerate(instance["calls"]):
        text = writer.call(call)
        if isinstance(text, tuple):
            lines.append(f"    {text[0]} = {text[1]}")
        else:
            lines.append(f"    {writer.result(number)} = {text}")
    return lines


def program_text(instance, title):
    """The program file of an instance; `title` is one line that says where it is from."""
    tensors = instance["tensors"]
    writer = Writer(len(tensors))
    names = [f"v{number}" for number in range(len(tensors))]
    lines = [f"# {title}", "import torch", "", ""]
    if instance.get("module"):
        setup = instance["setup"]
        made = tensor_lines(setup["storages"], setup["tensors"], "given", indent="")
        lines += made + [f"module = {Writer(0, 'given').text(instance['module'])}", "", ""]
    lines += ["def make_inputs():"] + tensor_lines(instance["storages"], tensors, "v")
    lines += [f"    return {tuple_text(names)}", "", "", f"def program({', '.join(names)}):"]
    lines += _statements(instance, writer)
    lines += [f"    return {writer.text(instance['result'])}"]
    return "\n".join(lines) + "\n"


def _walk(tree):
    if isinstance(tree, dict):
        yield tree
        for key in ("items", "args"):
            for item in tree.get(key, ()):
                for one in item if tree["is"] == "dict" else [item]:
                    yield from _walk(one)
        for item in tree.get("kwargs", {}).values():
            yield from _walk(item)


def _parts(call):
    return [*call["args"], *call["kwargs"].values()]


def writes(call):
    """Whether a call writes into what it is given, by its name."""
    name = call["name"].rpartition(".")[2]
    if name.startswith("__"):
        return name == "__setitem__" or name.startswith("__i") and "__" + name[3:] in BINARY
    return call["form"] == "set" or name.endswith("_") or "out" in call["kwargs"]


def pruned(instance):
    """(the instance without the calls and arguments that its result has nothing of, numbers closed up; the numbers of
    the arguments that are left; those of the calls)."""
    needed = {tree["call"] for tree in _walk(instance["result"]) if tree["is"] == "result"}
    kept = []
    for number in reversed(range(len(instance["calls"]))):
        call = instance["calls"][number]
        if number in needed or writes(call):
            kept.insert(0, number)
            needed |= {tree["call"] for part in _parts(call) for tree in _walk(part) if tree["is"] == "result"}
    calls = [instance["calls"][number] for number in kept]
    trees = [instance["result"]] + [part for call in calls for part in _parts(call)]
    used = sorted({tree["at"] for root in trees for tree in _walk(root) if tree["is"] == "tensor"})
    whole = json.loads(json.dumps({"calls": calls, "result": instance["result"]}))
    for root in [whole["result"]] + [part for call in whole["calls"] for part in _parts(call)]:
        for tree in _walk(root):
            if tree["is"] == "tensor":
                tree["at"] = used.index(tree["at"])
            elif tree["is"] == "result":
                tree["call"] = kept.index(tree["call"])
    tensors = [dict(instance["tensors"][at]) for at in used]
    storages = sorted({tensor["storage"] for tensor in tensors})
    for tensor in tensors:
        tensor["storage"] = storages.index(tensor["storage"])
    rest = {**instance, **whole, "tensors": tensors, "storages": [instance["storages"][at] for at in storages]}
    return rest, used, kept


def key_of(instance):
    """Equal for instances that differ in the elements of their tensors only."""
    dtypes = [storage["dtype"] for storage in instance["storages"]]
    module = [instance.get("module"), instance.get("setup", {}).get("tensors")]
    return json.dumps([instance["calls"], instance["tensors"], dtypes, module], sort_keys=True)
