"""Facts of values that are no tensors, and the positions of tensors in them: core/facts.h, NameFacts.

The worker's C++ (worker/points.h) reads names and tensors itself, and calls these functions for everything else.
"""

import math
import types

import torch

from ..compat import eager

_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: the class comes from a class statement
_MOST_TEXT = 200
_EXACT = 2**53
_KINDS = {bool: "bool", int: "int", float: "float", str: "str", list: "list", tuple: "tuple", dict: "dict"}
_SCALARS = (bool, int, float, str)
_CONTAINERS = (list, tuple, dict)
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)


def describe(value):
    """(kind, literal or None, length or None) of a value that is no tensor."""
    if value is None:
        return "none", "None", None
    kind = _KINDS.get(type(value))
    if kind is None:
        return _kind_of_object(value), None, None
    if type(value) in _CONTAINERS:
        return kind, None, len(value)
    text = repr(value) if type(value) is not int or value.bit_length() < 512 else None
    if text is None or len(text) > _MOST_TEXT or type(value) is float and not math.isfinite(value):
        return kind, None, None
    return kind, text, None


def _kind_of_object(value):
    if isinstance(value, _FUNCTIONS):
        return "function"
    return "module" if isinstance(value, (torch.nn.Module, types.ModuleType)) else "object"


def tensors_in(value):
    """[(text after the name, tensor)] inside a container, an object or a closure, two levels deep; None if the value
    can't hold any."""
    if value is None or type(value) in _SCALARS:
        return None
    return list(_tensors_in(value, 2))


def _tensors_in(value, depth):
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
    """[(name, parameter or buffer)] with the names of named_parameters and named_buffers, in a third of their time."""
    found, seen = [], set() if seen is None else seen
    try:
        if id(module) in seen:
            return found
        seen.add(id(module))
        parameters, buffers, parts = eager.module_tables(module)
        for table in (parameters, buffers):
            for name, tensor in table.items():
                if tensor is not None and id(tensor) not in seen:
                    seen.add(id(tensor))
                    found.append((prefix + name, tensor))
        for name, part in parts.items():
            if part is not None:
                found += _state(part, f"{prefix}{name}.", seen)
    except AttributeError:  # its __init__ has not called nn.Module's yet
        pass
    return found


def _attributes(value):
    """The attributes that an object itself stores, read without running code of its class."""
    try:
        held = object.__getattribute__(value, "__dict__").items()
        return [(name, item) for name, item in list(held)[:64] if name not in eager.MODULE_TABLES]
    except (AttributeError, TypeError):
        return []


def _cell(cell):
    try:
        return cell.cell_contents
    except ValueError:
        return None


def numbers_elsewhere(tensor, positions):
    """([(position, element)], minimum or None, maximum or None, sum) of a tensor that has many elements or is on
    another device."""
    with torch.no_grad(), eager.dispatch_modes_off():
        flat = tensor.detach().resolve_neg().reshape(-1)
        if not positions:
            return [], None, None, 0.0
        values = flat[torch.tensor(positions, device=tensor.device)].tolist()
        low, high = (bound.item() for bound in torch.aminmax(flat))
        total = flat.sum(dtype=torch.float64).item()
    elements = [(at, float(value)) for at, value in zip(positions, values) if _exact(value)]
    known = low == low and high == high and _exact(low) and _exact(high)
    return elements, float(low) if known else None, float(high) if known else None, total


def _exact(value):
    return not isinstance(value, int) or -_EXACT <= value <= _EXACT
