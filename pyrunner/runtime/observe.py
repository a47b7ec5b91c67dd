"""Values and tensors as plain records: core/observation.h, Value and TensorRecord.

Nothing here changes what it looks at: iterators are recorded by type only (execute.py draws from them at the very end),
identities are kept by weak references, and torch's function modes are off while we read.
"""

import collections
import collections.abc
import ctypes
import enum
import functools
import re
import sys
import types
import weakref

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from .failures import safe_text

_MOST_BYTES = 1 << 28
_DEEPEST = 100
_MOST_NODES = 200_000
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+|0x[0-9a-fA-F]{8,}")
_MODULE_INTERNALS = frozenset(vars(torch.nn.Module())) - {"training", "_parameters", "_buffers", "_modules"}
_OPAQUE = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.ModuleType,
    types.CodeType,
    type,
    torch.dtype,
    torch.device,
    torch.layout,
    torch.memory_format,
    torch.finfo,
    torch.iinfo,
    range,
    slice,
    type(...),
    type(NotImplemented),
    re.Pattern,
    weakref.ref,
)
_VIEWS = (collections.abc.KeysView, collections.abc.ValuesView, collections.abc.ItemsView)


class Observer:
    """The records of one run: identities and storages are numbered over all of it."""

    def __init__(self, module_name):
        self.tensors = []
        self._module = module_name
        self._identities = {}
        self._numbers = 0
        self._storages = {}
        self._storage_references = []

    def value(self, root, iterators=None):
        """Value of anything. Iterators in it are appended to `iterators`."""
        with torch._C.DisableTorchFunction(), torch.no_grad():
            return _Walk(self, iterators).node(root, 0)

    def draw(self, iterator, most):
        """Value of kind iterator with up to `most` items drawn from it."""
        record = {"kind": "iterator", "type": self.type_name(type(iterator)), "items": [], "index": 1}
        for _ in range(most):
            try:
                item = next(iterator)
            except StopIteration:
                record["index"] = 0
                break
            except BaseException as error:
                record["items"].append(
                    {"kind": "opaque", "type": self.type_name(type(error)), "text": "raised by the iterator"}
                )
                record["index"] = 0
                break
            record["items"].append(self.value(item))
        return record

    def type_name(self, kind):
        module = getattr(kind, "__module__", "builtins")
        if module == self._module:
            return "program." + kind.__qualname__
        return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"

    def identity(self, thing):
        known = self._identities.get(id(thing))
        if known is not None and known[0]() is thing:
            return known[1]
        self._numbers += 1
        self._identities[id(thing)] = (weakref.ref(thing), self._numbers)
        return self._numbers

    def storage(self, tensor):
        try:
            reference = StorageWeakRef(tensor.untyped_storage())
        except Exception:  # layouts without a storage
            return 0
        if reference.cdata not in self._storages:
            self._storages[reference.cdata] = len(self._storages) + 1
            self._storage_references.append(reference)  # else the address could come again
        return self._storages[reference.cdata]

    def tensor(self, tensor):
        """Records a tensor as it is now; its index in `tensors`."""
        record = {
            "identity": self.identity(tensor),
            "storage": self.storage(tensor),
            "dtype": str(tensor.dtype).removeprefix("torch."),
            "layout": str(tensor.layout).removeprefix("torch."),
            "device": str(tensor.device),
            "shape": [int(size) for size in tensor.shape],
            "strides": [],
            "version": _version(tensor),
            "requires_grad": tensor.requires_grad,
            "is_leaf": tensor.is_leaf,
            "has_grad_fn": tensor.grad_fn is not None,
            "conj": tensor.is_conj(),
            "neg": tensor.is_neg(),
            "bytes": b"",
        }
        if tensor.layout is torch.strided:
            try:
                record["strides"] = [int(stride) for stride in tensor.stride()]
                record["offset"] = int(tensor.storage_offset())
                record["bytes"] = _bytes(tensor)
            except Exception as error:
                record["unreadable"] = f"{type(error).__name__}: {safe_text(error)}"
        else:
            record["unreadable"] = f"layout {tensor.layout}"
        self.tensors.append(record)
        return len(self.tensors) - 1


def _version(tensor):
    try:
        return tensor._version
    except Exception:  # inference tensors have none
        return -1


def _bytes(tensor):
    size = tensor.numel() * tensor.element_size()
    if size > _MOST_BYTES:
        raise ValueError(f"{size} bytes are more than are kept")
    if type(tensor) not in (torch.Tensor, torch.nn.Parameter):
        tensor = tensor.as_subclass(torch.Tensor)
    plain = tensor.detach().resolve_conj().resolve_neg().cpu().contiguous()
    if size == 0:
        return b""
    address = plain.data_ptr()
    if address == 0:
        raise ValueError(f"a {type(tensor).__name__} without memory")
    return ctypes.string_at(address, size)


class _Walk:
    """One tree: numbers its containers in preorder."""

    def __init__(self, observer, iterators):
        self.observer = observer
        self.iterators = iterators
        self.numbers = {}
        self.path = set()
        self.containers = 0
        self.nodes = 0
        self.kept = []  # what was made on the way must not free its id

    def node(self, x, depth):
        self.nodes += 1
        kind = type(x)
        if x is None:
            return {}
        scalar = _scalar(x, kind)
        if scalar is not None:
            scalar["type"] = self.observer.type_name(kind)
            return scalar
        if isinstance(x, torch.Tensor):
            return {"kind": "tensor", "type": self.observer.type_name(kind), "index": self.observer.tensor(x)}
        if depth > _DEEPEST or self.nodes > _MOST_NODES:
            return {"kind": "opaque", "type": self.observer.type_name(kind), "text": "not followed further"}
        try:
            return self.other(x, kind, depth)
        except RecursionError:
            raise
        except Exception as error:  # a hostile __iter__, __eq__ or property
            return {"kind": "opaque", "type": self.observer.type_name(kind), "text": f"{type(error).__name__} while read"}

    def other(self, x, kind, depth):
        name = self.observer.type_name(kind)
        if isinstance(x, enum.Enum) or isinstance(x, _OPAQUE):
            return {"kind": "opaque", "type": name, "text": self.describe(x)}
        if isinstance(x, torch.Generator):
            return {"kind": "bytes", "type": name, "text": x.get_state().numpy().tobytes().hex()}
        numpy = sys.modules.get("numpy")
        if numpy is not None and isinstance(x, numpy.ndarray):
            return self.array(x, name)
        if isinstance(x, collections.abc.Iterator):
            if self.iterators is not None:
                self.iterators.append(x)
            return {"kind": "iterator", "type": name}
        if isinstance(x, (bytearray, memoryview)):
            return {"kind": "bytes", "type": name, "text": bytes(x).hex()}
        return self.container(x, kind, name, depth)

    def array(self, x, name):
        try:
            tensor = torch.from_numpy(x if x.flags.writeable else x.copy())
        except TypeError:
            return {"kind": "opaque", "type": name, "text": f"{x.dtype} {x.shape} {x.tobytes().hex()[:4096]}"}
        index = self.observer.tensor(tensor)
        self.observer.tensors[index]["identity"] = self.observer.identity(x)
        return {"kind": "tensor", "type": name, "index": index}

    def container(self, x, kind, name, depth):
        immutable = isinstance(x, (tuple, frozenset))
        seen = id(x) in (self.path if immutable else self.numbers)
        if seen:
            return {"kind": "reference", "type": name, "index": self.numbers[id(x)]}
        self.numbers[id(x)] = self.containers
        self.containers += 1
        self.kept.append(x)
        self.path.add(id(x))
        record = self.contents(x, kind, name, depth + 1)
        self.path.discard(id(x))
        return record

    def contents(self, x, kind, name, depth):
        own = _attributes(x) if kind.__module__ != "builtins" else {}
        if isinstance(x, (list, tuple, collections.deque, *_VIEWS)):
            record = {"kind": "sequence", "type": name, "items": [self.node(item, depth) for item in x]}
        elif isinstance(x, (dict, types.MappingProxyType)):
            record = {
                "kind": "mapping",
                "type": name,
                "labels": [self.describe(key) for key in x],
                "items": [self.node(item, depth) for item in x.values()],
            }
        elif isinstance(x, (set, frozenset)):
            record = {"kind": "set", "type": name, "items": sorted((self.node(i, depth) for i in x), key=repr)}
        else:
            return self.object(x, own, name, depth)
        if own:  # a subclass with attributes: its contents beside them
            return self.object(x, own, name, depth, record)
        return record

    def object(self, x, own, name, depth, contents=None):
        if isinstance(x, functools.partial):
            own = {"func": x.func, "args": x.args, "keywords": x.keywords, **own}
        if isinstance(x, BaseException):
            own = {"args": x.args, **{key: own[key] for key in own if not key.startswith("__")}}
        if not own and contents is None and type(x).__module__ != self.observer._module:
            return {"kind": "opaque", "type": name, "text": self.describe(x)}
        if isinstance(x, torch.nn.Module):
            own = {key: item for key, item in own.items() if key not in _MODULE_INTERNALS}
        elif not name.startswith("program."):
            own = {key: item for key, item in own.items() if not key.startswith("_")}
        labels = sorted(own)
        items = [self.node(own[label], depth) for label in labels]
        if contents is not None:
            labels, items = ["()", *labels], [contents, *items]
        return {"kind": "object", "type": name, "labels": labels, "items": items}

    def describe(self, x):
        """A text without addresses that is the same in every run."""
        if isinstance(x, (str, int, float, complex, bool, bytes)) and type(x).__module__ == "builtins":
            return repr(x)
        if isinstance(x, tuple) and type(x) is tuple:
            return "(" + ", ".join(self.describe(item) for item in x) + ")"
        if isinstance(x, types.ModuleType):
            return "module " + x.__name__
        if isinstance(x, type):
            return "class " + self.observer.type_name(x)
        if isinstance(x, torch.Tensor):
            return "tensor"
        name = getattr(x, "__qualname__", None)
        if isinstance(name, str):
            return name
        return _ADDRESS.sub("", safe_text(_repr(x))).replace(self.observer._module, "program")


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
        x = int(x)
        return {"kind": "int", "text": str(x) if x.bit_length() < 8192 else hex(x)}
    if isinstance(x, float):
        return {"kind": "float", "text": float(x).hex()}
    if isinstance(x, complex):
        return {"kind": "complex", "text": f"{x.real.hex()} {x.imag.hex()}"}
    if isinstance(x, str):
        return {"kind": "text", "text": str.__str__(x)}
    if kind is bytes:
        return {"kind": "bytes", "text": x.hex()}
    return _numpy_scalar(x)


def _numpy_scalar(x):
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(x, numpy.generic):
        return None
    if isinstance(x, numpy.bool_):
        return {"kind": "bool", "text": str(bool(x))}
    if isinstance(x, numpy.integer):
        return {"kind": "int", "text": str(int(x))}
    if isinstance(x, numpy.floating):
        return {"kind": "float", "text": float(x).hex()}
    return {"kind": "opaque", "text": repr(x)}


def _attributes(x):
    own = {}
    for base in type(x).__mro__:
        slots = base.__dict__.get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            try:
                own[slot] = object.__getattribute__(x, slot)
            except AttributeError:
                pass
    try:
        own.update(object.__getattribute__(x, "__dict__"))
    except (AttributeError, TypeError):
        pass
    own.pop("__dict__", None)
    own.pop("__weakref__", None)
    return {key: item for key, item in own.items() if isinstance(key, str)}
