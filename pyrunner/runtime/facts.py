"""What is known of live names at one point, and merging it over visits: core/facts.h, NameFacts."""

import math
import types

import torch

_WHOLE = 64
_POSITIONS = 16
_MOST_TEXT = 200
_MOST_OVERLAP = 4096
_EXACT = 2**53
_DTYPES = frozenset(
    "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()
)
_KINDS = ((bool, "bool"), (int, "int"), (float, "float"), (str, "str"), (list, "list"), (tuple, "tuple"), (dict, "dict"))
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)


def of_names(names):
    """{name: NameFacts} for live names ({name: value}); storages are numbered by the order of names."""
    facts, storages = {}, {}
    with torch._C.DisableTorchFunction(), torch.no_grad():
        for name in sorted(names):
            value = names[name]
            facts[name] = _of(value, storages)
            if not isinstance(value, torch.Tensor):
                for label, tensor in _tensors_in(value):
                    facts[name + label] = _of(tensor, storages)
    return facts


def merge(old, new):
    """Names in both; of each, the fields that are equal in both."""
    return {name: _merge(old[name], new[name]) for name in old if name in new}


def _merge(old, new):
    merged = {field: value for field, value in old.items() if field != "elements" and _same(value, new.get(field))}
    merged.setdefault("kind", "")
    if "elements" in old and "elements" in new:
        other = dict(new["elements"])
        merged["elements"] = [[at, value] for at, value in old["elements"] if at in other and _same(value, other[at])]
    return merged


def _same(one, other):
    if isinstance(one, float) and isinstance(other, float):
        return one == other and math.copysign(1, one) == math.copysign(1, other) or (one != one and other != other)
    return type(one) is type(other) and one == other


def _of(value, storages):
    if value is None:
        return {"kind": "none", "literal": "None"}
    if isinstance(value, torch.Tensor):
        return _tensor(value, storages)
    if isinstance(value, torch.nn.Module):
        return {"kind": "module"}
    if isinstance(value, _FUNCTIONS):
        return {"kind": "function"}
    for kind, name in _KINDS:
        if type(value) is kind:
            return _plain(value, name)
    return {"kind": "module" if isinstance(value, types.ModuleType) else "object"}


def _plain(value, name):
    facts = {"kind": name}
    if name in ("list", "tuple", "dict"):
        facts["length"] = len(value)
        return facts
    text = repr(value) if not isinstance(value, int) or value.bit_length() < 512 else None
    if text is not None and len(text) <= _MOST_TEXT and not (name == "float" and not math.isfinite(value)):
        facts["literal"] = text
    return facts


def _tensors_in(value, depth=2):
    """Tensors inside a container or a closure, two levels deep, with the text behind the name."""
    if isinstance(value, (list, tuple)):
        inner = [(f"[{i}]", item) for i, item in enumerate(value[:64])]
    elif type(value) is dict:
        inner = [(f"[{key!r}]", item) for key, item in list(value.items())[:64] if isinstance(key, (str, int))]
    elif isinstance(value, types.FunctionType) and value.__closure__:
        inner = [(f"[{name}]", _cell(cell)) for name, cell in zip(value.__code__.co_freevars, value.__closure__)]
    elif isinstance(value, torch.nn.Module):
        inner = [(f"[{name}]", item) for name, item in [*value.named_parameters(), *value.named_buffers()]]
    else:
        inner = []
    for label, item in inner:
        if isinstance(item, torch.Tensor):
            yield label, item
        elif depth > 1:
            for rest, tensor in _tensors_in(item, depth - 1):
                yield label + rest, tensor


def _cell(cell):
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _tensor(tensor, storages):
    name = str(tensor.dtype).removeprefix("torch.")
    facts = {"kind": "tensor", "shape": [int(size) for size in tensor.shape]}
    facts["requires_grad"], facts["is_leaf"] = tensor.requires_grad, tensor.is_leaf
    if name in _DTYPES:
        facts["dtype"] = name
    if tensor.layout is not torch.strided or type(tensor) not in (torch.Tensor, torch.nn.Parameter):
        return facts
    facts["strides"], facts["offset"] = list(tensor.stride()), tensor.storage_offset()
    facts["storage"] = storages.setdefault(tensor.untyped_storage()._cdata, len(storages))
    overlap = _overlaps(tensor)
    if overlap is not None:
        facts["overlaps_itself"] = overlap
    if "dtype" in facts and not tensor.dtype.is_complex:
        _numbers(facts, tensor.detach().resolve_neg())
    return facts


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


def _numbers(facts, tensor):
    count = tensor.numel()
    flat = tensor.reshape(-1)
    if count <= _WHOLE:
        positions = range(count)
        values = flat.tolist()
    else:
        positions = [i * (count - 1) // (_POSITIONS - 1) for i in range(_POSITIONS)]
        values = flat[torch.tensor(positions)].tolist()
    facts["elements"] = [[at, _json(value)] for at, value in zip(positions, values) if _exact(value)]
    if count:
        low, high = (bound.item() for bound in torch.aminmax(flat))
        if _exact(low) and _exact(high) and low == low:
            facts["minimum"], facts["maximum"] = _json(low), _json(high)


def _exact(value):
    return not isinstance(value, int) or -_EXACT <= value <= _EXACT


def _json(value):
    value = float(value)
    return value if math.isfinite(value) else ("nan" if value != value else "inf" if value > 0 else "-inf")
