"""The tree of a value: core/observation.h, Value.

Containers are read by the methods of their built-in base type, whatever a subclass overrides. Attributes of a value (of
a container's subclass, a tensor, a number) are recorded beside its contents, which are then labelled "()". A part that
can't be read is recorded as unreadable, and the rest is recorded all the same.
"""

import collections
import collections.abc
import copy
import enum
import inspect
import itertools
import re
import sys
import types
import weakref

import torch

from ..compat import compiler, eager
from ..text import safe_text
from . import arrays, generators, kinds, leaves
from .contents import SEQUENCES, attributes_of, items_of, length_of, packed, pairs_of
from .elements import digest, norm

_DEEPEST = 100
_MOST_NODES = 200_000
_MOST_ITEMS = 64
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+|0x[0-9a-fA-F]{8,}")
_MODULE_INTERNALS = leaves.MODULE_INTERNALS - set(eager.MODULE_TABLES)
_PROXIES = weakref.ProxyTypes
_METHODS = (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)
_OPAQUE = (
    types.CodeType,
    types.ModuleType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    type,
    torch.dtype,
    torch.device,
    torch.layout,
    torch.memory_format,
    torch.finfo,
    torch.iinfo,
    range,
    type(...),
    type(NotImplemented),
    re.Pattern,
)
_SYMBOLIC = (torch.SymInt, torch.SymFloat, torch.SymBool)
_SETS = (set, frozenset)
_VIEWS = (collections.abc.KeysView, collections.abc.ValuesView, collections.abc.ItemsView)
# Types of iterators of which a copy can be drawn from without advancing the original.
_COPYABLE = tuple(type(iter(one)) for one in ([], (), range(0), range(1 << 70), "", "\u00e9", b"")) + (
    type(reversed([])),
    type(reversed(range(0))),
)


class Walk:
    """One tree of a value; its containers are numbered in preorder."""

    def __init__(self, observer, iterators):
        self.observer = observer
        self.iterators = iterators
        self.numbers = {}
        self.path = set()
        self.containers = 0
        self.nodes = 0
        self.kept = []  # temporary objects stay alive, so that their id() is not reused

    def node(self, x, depth):
        self.nodes += 1
        kind = type(x)
        if x is None:
            return {}
        if depth > _DEEPEST or self.nodes > _MOST_NODES:
            return self.unreadable(kind, "it is nested too deeply, or holds too much")
        try:
            return self.known(x, kind, depth)
        except RecursionError:
            raise
        except Exception as error:  # a broken __iter__, __eq__ or property of the program
            return self.unreadable(kind, f"looking at it raises {type(error).__name__}")

    def opaque(self, kind, text):
        return {"kind": "opaque", "type": self.observer.type_name(kind), "text": text}

    def unreadable(self, kind, reason):
        return {"kind": "unreadable", "type": self.observer.type_name(kind), "text": reason}

    def known(self, x, kind, depth):
        if kind in _PROXIES:  # apart from its type, it behaves like another object
            return self.opaque(kind, "proxy")
        scalar = _scalar(x, kind)
        if scalar is not None:
            scalar["type"] = self.observer.type_name(kind)
            return self.attached(x, kind, scalar, depth)
        if isinstance(x, torch.Tensor):
            return self.attached(x, kind, self.tensor(x, kind, depth), depth)
        if isinstance(x, (enum.Enum, *_OPAQUE)):
            self.observer.note_class(x)
            return self.opaque(kind, self.describe(x))
        if isinstance(x, _SYMBOLIC):
            return self.opaque(kind, safe_text(x.node.hint))
        if isinstance(x, types.FunctionType):
            return self.function(x, kind, depth)
        if isinstance(x, _METHODS):
            return self.method(x, kind, depth)
        return self.other(x, kind, depth)

    def other(self, x, kind, depth):
        name = self.observer.type_name(kind)
        if isinstance(x, torch.Generator):
            return {"kind": "bytes", "type": name, "text": generators.state_of(x)}
        if isinstance(x, torch.UntypedStorage):
            return {"kind": "bytes", "type": name, "text": bytes(x.cpu()).hex()}
        if arrays.is_array(x):
            return arrays.record(x, self, name, depth)
        if kind in kinds.STREAMS:
            return self.once(x, name, lambda name: self.labelled(name, kinds.stream(x), depth))
        if isinstance(x, collections.abc.Iterator):
            return self.iterator(x, kind, name, depth)
        if isinstance(x, (bytearray, memoryview)):
            return {"kind": "bytes", "type": name, "text": bytes(x).hex()}
        return self.container(x, kind, name, depth)

    # Tensors.

    def tensor(self, x, kind, depth):
        name = self.observer.type_name(kind)
        if x.is_nested and x.layout is torch.strided:
            return self.parts(x, name, {"nested": list(x.unbind())}, depth)
        if x.layout is torch.sparse_coo:
            parts = {"indices": eager.sparse_indices(x), "values": eager.sparse_values(x), "coalesced": x.is_coalesced()}
            return self.parts(x, name, parts, depth)
        if x.layout in (torch.sparse_csr, torch.sparse_bsr):
            return self.parts(x, name, {"crow": x.crow_indices(), "col": x.col_indices(), "values": x.values()}, depth)
        if x.layout in (torch.sparse_csc, torch.sparse_bsc):
            return self.parts(x, name, {"ccol": x.ccol_indices(), "row": x.row_indices(), "values": x.values()}, depth)
        if kind not in eager.PLAIN_TENSORS and hasattr(kind, "__tensor_flatten__"):
            inner, context = x.__tensor_flatten__()
            parts = {name: getattr(x, name) for name in inner}
            return self.parts(x, name, {**parts, "context": context}, depth)
        return {"kind": "tensor", "type": name, "index": self.observer.tensor(x)}

    def parts(self, x, name, parts, depth):
        """Records a tensor that has no elements of its own by its parts."""
        parts = {"dtype": x.dtype, "layout": x.layout, "requires_grad": x.requires_grad, **parts}
        if not x.is_nested:
            parts["shape"] = x.shape
        return self.labelled(name, parts, depth)

    # Code.

    def function(self, x, kind, depth):
        text = self.describe(x)
        if x.__globals__.get("__name__") != self.observer.module or not x.__closure__:
            return self.opaque(kind, text)
        record = lambda name: self.labelled(name, {"name": text, **dict(leaves.cells_of(x))}, depth)  # noqa: E731
        return self.once(x, self.observer.type_name(kind), record)

    def method(self, x, kind, depth):
        text, owner = self.describe(x), getattr(x, "__self__", None)
        if owner is None or isinstance(owner, (types.ModuleType, type, torch.nn.Module)):
            return self.opaque(kind, text)
        return self.labelled(self.observer.type_name(kind), {"name": text, "self": owner}, depth)

    def iterator(self, x, kind, name, depth):
        if self.iterators is not None:
            self.iterators.append(x)
            return {"kind": "iterator", "type": name}
        if kind in _COPYABLE:
            items = list(itertools.islice(copy.copy(x), _MOST_ITEMS + 1))
            record = {"kind": "iterator", "type": name, "index": int(len(items) > _MOST_ITEMS)}
            return {**record, "items": [self.node(item, depth + 1) for item in items[:_MOST_ITEMS]]}
        if kind is types.GeneratorType:
            return {"kind": "iterator", "type": name, "text": inspect.getgeneratorstate(x)}
        if kind is itertools.count:
            return {"kind": "iterator", "type": name, "text": self.describe(x)}
        return {"kind": "iterator", "type": name}

    # Containers and objects.

    def once(self, x, name, record):
        """The record of a container: `record(name)` the first time, and a reference after that. An immutable container
        is recorded again unless it contains itself."""
        immutable = isinstance(x, (tuple, frozenset))
        if id(x) in (self.path if immutable else self.numbers):
            return {"kind": "reference", "type": name, "index": self.numbers[id(x)]}
        self.numbers[id(x)] = self.containers
        self.containers += 1
        self.kept.append(x)
        self.path.add(id(x))
        made = record(name)
        self.path.discard(id(x))
        return made

    def container(self, x, kind, name, depth):
        return self.once(x, name, lambda name: self.contents(x, kind, name, depth + 1))

    def contents(self, x, kind, name, depth):
        text = packed(x)
        if text is not None:
            return {"kind": "opaque", "type": name, "text": text}
        if length_of(x) > _MOST_NODES - self.nodes:  # what comes after it still has its place
            return self.unreadable(kind, "it is nested too deeply, or holds too much")
        if isinstance(x, (*SEQUENCES, *_VIEWS)):
            record = {"kind": "sequence", "type": name, "items": [self.node(item, depth) for item in items_of(x)]}
        elif isinstance(x, (dict, types.MappingProxyType)):
            pairs = pairs_of(x)
            record = {
                "kind": "mapping",
                "type": name,
                "labels": [self.describe(key) for key, _ in pairs],
                "items": [self.node(item, depth) for _, item in pairs],
            }
        elif isinstance(x, _SETS):
            record = {"kind": "set", "type": name, "items": self.members(x, depth)}
        else:
            return self.object(x, kind, name, depth)
        return self.attached(x, kind, record, depth)

    def members(self, x, depth):
        base = set if isinstance(x, set) else frozenset
        ordered = sorted(base.__iter__(x), key=self.order)
        return sorted((self.node(item, depth) for item in ordered), key=repr)

    def order(self, x, depth=4):
        """A sort key for members of a set, before they are numbered: tensors by their norms, which rounding hardly
        moves, then by their elements; lists, weak references, modules and objects of the program by what they hold;
        others by their text."""
        name = self.observer.type_name(type(x))
        if isinstance(x, torch.Tensor):
            return (name, f"{x.dtype} {x.shape}", norm(x), digest(x), ())
        if depth and type(x) in (list, tuple):
            return (name, "", 0.0, "", tuple(self.order(item, depth - 1) for item in x))
        if depth and type(x) is weakref.ref:
            return (name, "", 0.0, "", (self.order(x(), depth - 1),))
        own = attributes_of(x) if depth and type(x).__module__ == self.observer.module else {}
        if depth and isinstance(x, torch.nn.Module):
            own = {**own, **{label: item for table in eager.MODULE_TABLES
                             for label, item in (vars(x).get(table) or {}).items()}}
        inside = tuple((label, self.order(own[label], depth - 1)) for label in sorted(own))
        return (name, self.describe(x), 0.0, "", inside)

    def attached(self, x, kind, record, depth):
        """The record, together with the attributes of the value if it has any."""
        own = _extras(x, kind)
        if not own:
            return record
        labels = sorted(own)
        items = [record, *(self.node(own[label], depth + 1) for label in labels)]
        return {"kind": "object", "type": record["type"], "labels": ["()", *labels], "items": items}

    def object(self, x, kind, name, depth):
        self.observer.note_class(kind)
        own = kinds.parts_of(x)
        if own is None:
            own = attributes_of(x)
            if isinstance(x, torch.nn.Module):
                hidden = {key for key in own if key in _MODULE_INTERNALS or key.startswith(compiler.MARKS)}
                hooks = {key: own[key] for key in eager.MODULE_HOOKS if own.get(key)}
                own = {key: item for key, item in own.items() if key not in hidden}
                own |= {key: [self.describe(hook) for hook in table.values()] for key, table in hooks.items()}
            elif isinstance(x, BaseException):
                own = {key: item for key, item in own.items() if key[:2] != "__" or key == "__notes__"}
                own = {"args": x.args, "__cause__": x.__cause__, **own}
            elif kind.__module__ != self.observer.module and kind not in kinds.OPEN:
                own = {key: item for key, item in own.items() if not key.startswith("_")} | kinds.state_of(x)
                if not own:
                    return self.opaque(kind, self.describe(x))
        return self.labelled(name, own, depth)

    def further(self, record, own):
        """Adds to the record of a mapping whose contents were not all known when it was made."""
        record["labels"] += [self.describe(key) for key in own]
        record["items"] += [self.node(item, 1) for item in own.values()]

    def labelled(self, name, own, depth):
        labels = sorted(own)
        items = [self.node(own[label], depth + 1) for label in labels]
        return {"kind": "object", "type": name, "labels": labels, "items": items}

    def describe(self, x):
        """A text without addresses, the same in every run."""
        kind = type(x)
        if isinstance(x, enum.Enum):
            return f"{self.observer.type_name(kind)}.{x.name}" if x.name else safe_text(x.value)
        if isinstance(x, (str, int, float, complex, bool, bytes)) and kind.__module__ == "builtins":
            return repr(x)
        if kind is tuple:
            return "(" + ", ".join(self.describe(item) for item in x) + ")"
        if isinstance(x, types.ModuleType):
            return "module " + x.__name__.replace(self.observer.module, "program")
        if isinstance(x, type):
            return "class " + self.observer.type_name(x)
        if isinstance(x, torch.Tensor):
            return "tensor"
        name = getattr(x, "__qualname__", None)
        if isinstance(name, str):
            return name
        return _ADDRESS.sub("", safe_text(_repr(x))).replace(self.observer.module, "program")


def _repr(x):
    try:
        return repr(x)
    except Exception as error:
        return f"<{type(error).__name__} in __repr__>"


def _scalar(x, kind):
    if isinstance(x, enum.Enum):
        return None
    if kind is bool:
        return {"kind": "bool", "text": "True" if x else "False"}
    if isinstance(x, int):
        x = int.__int__(x)
        return {"kind": "int", "text": str(x) if x.bit_length() < 8192 else hex(x)}
    if isinstance(x, float):
        return {"kind": "float", "text": float.hex(float.__float__(x))}
    if isinstance(x, complex):
        return {"kind": "complex", "text": f"{x.real.hex()} {x.imag.hex()}"}
    if isinstance(x, str):
        return {"kind": "text", "text": str.__str__(x)}
    if isinstance(x, bytes):
        return {"kind": "bytes", "text": bytes.hex(x)}
    return arrays.scalar(x)


_BARE = frozenset((bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, torch.Size))


def _extras(x, kind):
    """The attributes that a container, number or tensor has in addition to its contents."""
    if kind in _BARE:
        return {}
    if kind in eager.PLAIN_TENSORS:
        own = x.__dict__
        return {key: item for key, item in own.items() if not key.startswith(compiler.MARKS)} if own else {}
    own = attributes_of(x) if not isinstance(x, torch.Tensor) else object.__getattribute__(x, "__dict__")
    if hasattr(kind, "__tensor_flatten__"):  # its inner tensors are part of the record already
        inner = set(x.__tensor_flatten__()[0])
        own = {key: item for key, item in own.items() if key not in inner}
    if kind.__module__ == "numpy" or "_fields" in vars(kind):
        own = {}
    if isinstance(x, collections.defaultdict):
        own["default_factory"] = x.default_factory
    if isinstance(x, collections.deque) and x.maxlen is not None:
        own["maxlen"] = x.maxlen
    return {key: item for key, item in own.items() if not key.startswith(compiler.MARKS)}
