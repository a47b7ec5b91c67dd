"""What is known of live names at one point, and merging it over visits: core/facts.h, NameFacts.

A point is {name: (entry, storage)}: the number of an entry in the run's Table, which says everything but the storage,
and the storage's number at this point, or None. Most tensors are the same at a point as at the one before it, so the
table knows an entry again by all that it is computed from, the bytes in memory included: what changes a tensor
unnoticed, through `.data`, NumPy or an alias, changes its bytes.
"""

import array
import ctypes
import math
import types

import torch
from torch.utils._python_dispatch import _disable_current_modes

_WHOLE = 64
_POSITIONS = 16
_MOST_TEXT = 200
_MOST_OVERLAP = 4096
_EXACT = 2**53
_DTYPES = {
    getattr(torch, name): name
    for name in "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()
}
_NUMERIC = frozenset(dtype for dtype in _DTYPES if not dtype.is_complex)
_KINDS = {bool: "bool", int: "int", float: "float", str: "str", list: "list", tuple: "tuple", dict: "dict"}
_CONTAINERS = (list, tuple, dict)
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_PLAIN_TENSORS = (torch.Tensor, torch.nn.Parameter)
_MOST_HASHED = 1 << 14  # bytes of a tensor; beyond, describing it again is quicker
_MOST_REMEMBERED = 1 << 24  # bytes of all tensors that the table knows again


class Table:
    """The entries of one run, NameFacts without a storage; `elements` is {position: value}."""

    def __init__(self):
        self.entries = []
        self._known = {}  # what an entry is computed from -> its number
        self._merged = {}  # (number, number) -> number
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
        if type(memory) is bytes:
            key = (flags, layout, tensor.is_neg(), memory)
            number = self._known.get(key)
            if number is not None:
                return number
        entry = _flags(*flags)
        entry["strides"], entry["offset"] = list(layout[0]), layout[1]
        with torch.no_grad(), _disable_current_modes():
            overlap = _overlaps(tensor)
            if overlap is not None:
                entry["overlaps_itself"] = overlap
            if memory is not None and flags[0] in _NUMERIC:
                _numbers(entry, tensor.detach().resolve_neg())
        if type(memory) is not bytes or len(memory) > self._room:
            return self._add(entry)
        self._room -= len(memory)
        return self._remember(key, entry)


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
    """Tensors inside a container or a closure, two levels deep, with the text behind the name."""
    if isinstance(value, (list, tuple)):
        inner = [(f"[{i}]", item) for i, item in enumerate(value[:64])]
    elif type(value) is dict:
        inner = [(f"[{key!r}]", item) for key, item in list(value.items())[:64] if isinstance(key, (str, int))]
    elif isinstance(value, types.FunctionType) and value.__closure__:
        inner = [(f"[{name}]", _cell(cell)) for name, cell in zip(value.__code__.co_freevars, value.__closure__)]
    elif isinstance(value, torch.nn.Module):
        inner = [(f"[{name}]", item) for name, item in _state(value)]
    else:
        return
    for label, item in inner:
        if isinstance(item, torch.Tensor):
            yield label, item
        elif depth > 1:
            for rest, tensor in _tensors_in(item, depth - 1):
                yield label + rest, tensor


def _state(module):
    try:
        return [*module.named_parameters(), *module.named_buffers()]
    except AttributeError:  # its __init__ has not called that of nn.Module yet
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


def _numbers(entry, tensor):
    count = tensor.numel()
    flat = tensor.reshape(-1)
    if count <= _WHOLE:
        elements = dict(enumerate(flat.tolist()))
    else:
        positions = [i * (count - 1) // (_POSITIONS - 1) for i in range(_POSITIONS)]
        elements = dict(zip(positions, flat[torch.tensor(positions)].tolist()))
    if tensor.dtype is torch.int64:
        elements = {at: value for at, value in elements.items() if _exact(value)}
    entry["elements"] = elements if tensor.is_floating_point() else {at: float(v) for at, v in elements.items()}
    if count:
        low, high = (bound.item() for bound in torch.aminmax(flat))
        if _exact(low) and _exact(high) and low == low:
            entry["minimum"], entry["maximum"] = float(low), float(high)


def _exact(value):
    return not isinstance(value, int) or -_EXACT <= value <= _EXACT
