"""What is known of live names at one point, and merging it over visits: core/facts.h, NameFacts.

A point is {name: (entry, storage)}: the number of an entry in the run's Table, which says everything but the storage,
and the storage's number at this point, or None. Most tensors are the same at a point as at the one before it, so the
table knows an entry again by all that it is computed from, the bytes in memory included: what changes a tensor
unnoticed, through `.data`, NumPy or an alias, changes its bytes. A tensor that it has seen before it asks for less: a
point of twenty tensors costs some 40 us instead of 150.
"""

import array
import ctypes
import math
import struct
import types
import weakref

import torch
from torch.utils._python_dispatch import _disable_current_modes

_WHOLE = 64
_MODULE_TABLES = {"_parameters", "_buffers", "_modules"}
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: of a class statement
_POSITIONS = 16
_MOST_TEXT = 200
_MOST_OVERLAP = 4096
_EXACT = 2**53
_DTYPES = {
    getattr(torch, name): name
    for name in "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()
}
_NUMERIC = frozenset(dtype for dtype in _DTYPES if not dtype.is_complex)
# How struct reads an element from memory; bfloat16 it can't.
_FORMATS = {
    torch.bool: "?", torch.uint8: "B", torch.int8: "b", torch.int16: "h", torch.int32: "i", torch.int64: "q",
    torch.float16: "e", torch.float32: "f", torch.float64: "d",
}  # fmt: skip
_KINDS = {bool: "bool", int: "int", float: "float", str: "str", list: "list", tuple: "tuple", dict: "dict"}
_CONTAINERS = (list, tuple, dict)
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_PLAIN_TENSORS = (torch.Tensor, torch.nn.Parameter)
_MOST_HASHED = 1 << 18  # bytes of a tensor; larger ones are described at each point
_MOST_UNPACKED = 1 << 10  # bytes; beyond, torch is quicker
_MOST_REMEMBERED = 1 << 24  # bytes of all tensors that the table knows again


class Table:
    """The entries of one run, NameFacts without a storage; `elements` is {position: value}."""

    def __init__(self):
        self.entries = []
        self._known = {}  # what an entry is computed from -> its number
        self._merged = {}  # (number, number) -> number
        self._seen = {}  # id of a tensor -> what it was when it was last described: _Seen
        self._room = _MOST_REMEMBERED

    def point(self, names):
        """The point for live names ({name: value}); storages are numbered by the order of names."""
        point, storages = {}, {}
        with torch._C.DisableTorchFunction():
            for name in sorted(names):
                value = names[name]
                if isinstance(value, torch.Tensor):
                    point[name] = self._tensor(value, storages)
                    continue
                point[name] = self._other(value), None
                for label, tensor in _tensors_in(value):
                    point[name + label] = self._tensor(tensor, storages)
        return point

    def merge(self, old, new):
        """Names in both points; of each, the fields that are equal in both."""
        if old == new:
            return old
        return {name: self._merge(old[name], new[name]) for name in old if name in new}

    def _merge(self, old, new):
        if old == new:
            return old
        number = old[0]
        if number != new[0]:
            pair = number, new[0]
            number = self._merged.get(pair)
            if number is None:
                merged = _merge_entries(self.entries[pair[0]], self.entries[pair[1]])
                number = self._merged[pair] = self._add(merged)
        return number, old[1] if old[1] == new[1] else None

    def wire(self, points):
        """These points and the entries that they use, in the form of protocol.h."""
        names, entries, packed = {}, {}, []
        for point in points:
            numbers = array.array("i")
            for name, (entry, storage) in point.items():
                at = names.setdefault(name, len(names)), entries.setdefault(entry, len(entries))
                numbers.extend((*at, -1 if storage is None else storage))
            packed.append(numbers.tobytes())
        return {"table": [_wire(self.entries[entry]) for entry in entries], "names": list(names), "points": packed}

    def _add(self, entry):
        self.entries.append(entry)
        return len(self.entries) - 1

    def _remember(self, key, entry):
        number = self._known[key] = self._add(entry)
        return number

    def _other(self, value):
        key = _describe(value)
        number = self._known.get(key)
        return self._remember(key, {"kind": key[0], **dict(key[1:])}) if number is None else number

    def _tensor(self, tensor, storages):
        seen = self._seen.get(id(tensor))
        if seen is not None and seen.still(tensor):
            return seen.entry, storages.setdefault(seen.storage, len(storages))
        try:
            storage = _storage(tensor)
            if storage is None:
                return self._outside(tensor), None
            number = storages.setdefault(storage._cdata, len(storages))
            return self._strided(tensor, storage), number
        except RuntimeError:  # e.g. a nested tensor has no shape
            return self._other(_Unknown), None

    def _outside(self, tensor):
        key = (tensor.dtype, tensor.shape, tensor.requires_grad, tensor.is_leaf)
        number = self._known.get(key)
        return self._remember(key, _flags(*key)) if number is None else number

    def _strided(self, tensor, storage):
        flags = (tensor.dtype, tensor.shape, tensor.requires_grad, tensor.is_leaf)
        layout = (tensor.stride(), tensor.storage_offset())
        memory = _memory(tensor, storage, layout)
        negated = tensor.is_neg()
        if type(memory) is bytes:
            key = (flags, layout, negated, memory)
            number = self._known.get(key)
            if number is not None:
                return self._see(tensor, storage, layout, memory, number)
        entry = _flags(*flags)
        entry["strides"], entry["offset"] = list(layout[0]), layout[1]
        if type(memory) is bytes and _plain(memory, flags[0], negated) and tensor.is_contiguous():
            entry["overlaps_itself"] = False
            _numbers_in(entry, memory, flags[0])
        else:
            with torch.no_grad(), _disable_current_modes():
                overlap = _overlaps(tensor)
                if overlap is not None:
                    entry["overlaps_itself"] = overlap
                if memory is not None and flags[0] in _NUMERIC:
                    _numbers(entry, tensor.detach().resolve_neg())
        if type(memory) is not bytes or len(memory) > self._room:
            return self._add(entry)
        return self._see(tensor, storage, layout, memory, self._remember(key, entry))

    def _see(self, tensor, storage, layout, memory, number):
        """Knows the tensor itself again, while there is room for what it held."""
        if len(memory) <= self._room:
            self._room -= len(memory)
            self._seen[id(tensor)] = _Seen(tensor, storage, layout, memory, number)
        return number


class _Seen:
    """A tensor as it was, and its entry. It must not keep the tensor alive: programs can see that."""

    __slots__ = ("who", "version", "flags", "shape", "layout", "start", "memory", "entry", "storage")

    def __init__(self, tensor, storage, layout, memory, entry):
        self.who = weakref.ref(tensor)
        self.version = tensor._version
        self.flags = tensor.requires_grad, tensor.is_leaf
        self.shape, self.layout, self.start = tensor.shape, layout, tensor.data_ptr()
        self.memory, self.entry, self.storage = memory, entry, storage._cdata

    def still(self, tensor):
        """Whether it is the same tensor, unchanged; another may have its id by now."""
        return (
            self.who() is tensor
            and self.version == tensor._version
            and self.start == tensor.data_ptr()
            and self.flags == (tensor.requires_grad, tensor.is_leaf)
            and self.shape == tensor.shape
            and self.layout == (tensor.stride(), tensor.storage_offset())
            and self.memory == ctypes.string_at(self.start, len(self.memory))
        )


class _Unknown:
    """Stands for a tensor of which nothing can be read."""


def _merge_entries(old, new):
    merged = {field: value for field, value in old.items() if field != "elements" and _same(value, new.get(field))}
    merged.setdefault("kind", "")
    if "elements" in old and "elements" in new:
        other = new["elements"]
        merged["elements"] = {
            at: value for at, value in old["elements"].items() if at in other and _same(value, other[at])
        }
    return merged


def _same(one, other):
    if isinstance(one, float) and isinstance(other, float):
        return one == other and math.copysign(1, one) == math.copysign(1, other) or (one != one and other != other)
    return type(one) is type(other) and one == other


def _wire(entry):
    if "elements" not in entry:
        return entry
    entry = dict(entry)
    elements = entry.pop("elements")
    entry["values"] = array.array("d", elements.values()).tobytes()
    if list(elements) != list(range(len(elements))):
        entry["positions"] = list(elements)
    return entry


def _describe(value):
    """The entry of what is no tensor, as (kind, (field, value), ...)."""
    if value is None:
        return "none", ("literal", "None")
    kind = _KINDS.get(type(value))
    if kind is None:
        return (_kind_of_object(value),)
    if type(value) in _CONTAINERS:
        return kind, ("length", len(value))
    text = repr(value) if type(value) is not int or value.bit_length() < 512 else None
    if text is None or len(text) > _MOST_TEXT or type(value) is float and not math.isfinite(value):
        return (kind,)
    return kind, ("literal", text)


def _kind_of_object(value):
    if value is _Unknown:
        return "tensor"
    if isinstance(value, _FUNCTIONS):
        return "function"
    return "module" if isinstance(value, (torch.nn.Module, types.ModuleType)) else "object"


def _tensors_in(value, depth=2):
    """Tensors inside a container, an object or a closure, two levels deep, with the text behind the name."""
    if isinstance(value, (list, tuple)):
        inner = [(f"[{i}]", item) for i, item in enumerate(value[:64])]
    elif type(value) is dict:
        inner = [(f"[{key!r}]", item) for key, item in list(value.items())[:64] if isinstance(key, (str, int))]
    elif isinstance(value, types.FunctionType) and value.__closure__:
        inner = [(f"[{name}]", _cell(cell)) for name, cell in zip(value.__code__.co_freevars, value.__closure__)]
    elif isinstance(value, torch.nn.Module):
        inner = [(f"[{name}]", item) for name, item in [*_state(value), *_attributes(value)]]
    elif type(value).__flags__ & _HEAP_TYPE and not isinstance(value, type):
        inner = [(f"[{name}]", item) for name, item in _attributes(value)]
    else:
        return
    for label, item in inner:
        if isinstance(item, torch.Tensor):
            yield label, item
        elif depth > 1:
            for rest, tensor in _tensors_in(item, depth - 1):
                yield label + rest, tensor


def _state(module, prefix="", seen=None):
    """[(name, parameter or buffer)] as named_parameters and named_buffers name them, in a third of their time."""
    found, seen = [], set() if seen is None else seen
    try:
        if id(module) in seen:
            return found
        seen.add(id(module))
        for table in (module._parameters, module._buffers):
            for name, tensor in table.items():
                if tensor is not None and id(tensor) not in seen:
                    seen.add(id(tensor))
                    found.append((prefix + name, tensor))
        for name, part in module._modules.items():
            if part is not None:
                found += _state(part, f"{prefix}{name}.", seen)
    except AttributeError:  # its __init__ has not called that of nn.Module yet
        pass
    return found


def _attributes(value):
    """What an object holds by itself, whatever it does when it is asked."""
    try:
        held = object.__getattribute__(value, "__dict__").items()
        return [(name, item) for name, item in list(held)[:64] if name not in _MODULE_TABLES]
    except (AttributeError, TypeError):
        return []


def _cell(cell):
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _storage(tensor):
    """The storage of a plain strided tensor, else None: functorch's stand-ins inside vmap and grad have none."""
    if tensor.layout is not torch.strided or type(tensor) not in _PLAIN_TENSORS:
        return None
    try:
        return tensor.untyped_storage()
    except RuntimeError:
        return None


def _memory(tensor, storage, layout):
    """The bytes from a tensor's first element to its last; True: they can be read but not hashed; None: not read."""
    if not tensor.is_cpu:
        return None if tensor.is_meta else True
    shape, size = tensor.shape, tensor.itemsize
    if tensor.is_contiguous():
        count = tensor.numel()
    elif 0 in shape:
        count = 0
    else:
        count = 1 + sum((extent - 1) * stride for extent, stride in zip(shape, layout[0]))
    if count == 0 or tensor.dtype not in _NUMERIC:
        return b""
    start = tensor.data_ptr()
    if start == 0 or storage.nbytes() < (layout[1] + count) * size:  # a storage that was made smaller since
        return None
    return ctypes.string_at(start, count * size) if count * size <= _MOST_HASHED else True


def _flags(dtype, shape, requires_grad, is_leaf):
    entry = {"kind": "tensor", "shape": [int(size) for size in shape]}
    entry["requires_grad"], entry["is_leaf"] = requires_grad, is_leaf
    if dtype in _DTYPES:
        entry["dtype"] = _DTYPES[dtype]
    return entry


def _overlaps(tensor):
    answer = torch._debug_has_internal_overlap(tensor)
    if answer != 2:
        return answer == 1
    if tensor.numel() > _MOST_OVERLAP:
        return None
    offsets = {0}
    for size, stride in zip(tensor.shape, tensor.stride()):
        offsets = {offset + i * stride for offset in offsets for i in range(size)}
    return len(offsets) < tensor.numel()


def _positions(count):
    return [i * (count - 1) // (_POSITIONS - 1) for i in range(_POSITIONS)]


def _numbers(entry, tensor):
    count = tensor.numel()
    flat = tensor.reshape(-1)
    if count <= _WHOLE:
        elements = dict(enumerate(flat.tolist()))
    else:
        positions = _positions(count)
        elements = dict(zip(positions, flat[torch.tensor(positions)].tolist()))
    bounds = [bound.item() for bound in torch.aminmax(flat)] if count else []
    _enter_numbers(entry, elements, tensor.dtype, bounds)


def _plain(memory, dtype, negated):
    return len(memory) <= _MOST_UNPACKED and dtype in _FORMATS and not negated


def _numbers_in(entry, memory, dtype):
    """The same from the memory of a contiguous tensor: a fifth of the time."""
    values = struct.unpack(f"{len(memory) // dtype.itemsize}{_FORMATS[dtype]}", memory)
    count = len(values)
    elements = dict(enumerate(values)) if count <= _WHOLE else {at: values[at] for at in _positions(count)}
    bounds = [min(values), max(values)] if count else []
    if bounds and dtype.is_floating_point and any(map(math.isnan, values)):
        bounds = []
    _enter_numbers(entry, elements, dtype, bounds)


def _enter_numbers(entry, elements, dtype, bounds):
    if dtype is torch.int64:
        elements = {at: value for at, value in elements.items() if _exact(value)}
    entry["elements"] = elements if dtype.is_floating_point else {at: float(v) for at, v in elements.items()}
    if bounds and all(_exact(bound) and bound == bound for bound in bounds):
        entry["minimum"], entry["maximum"] = map(float, bounds)


def _exact(value):
    return not isinstance(value, int) or -_EXACT <= value <= _EXACT
