"""The ATen calls that a program dispatches to, backward's too: what a compiler gets of it, after autograd and composite
operators are resolved.
"""

import json
import warnings

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import check


def _float(value):
    finite = value == value and abs(value) != float("inf")
    return value if finite else {"float": repr(value)}


def _value(value):
    """A live argument as the value of a parameter (see manifest)."""
    if isinstance(value, torch.Tensor):
        return {"tensor": str(value.dtype).removeprefix("torch."), "shape": [int(size) for size in value.shape]}
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, complex):
        return {"complex": [repr(value.real), repr(value.imag)]}
    if isinstance(value, (list, tuple)):
        return [_value(one) for one in value]
    if isinstance(value, (torch.dtype, torch.layout, torch.device, torch.memory_format)):
        return str(value)
    return type(value).__name__


def _named(function, args, kwargs):
    schema = getattr(function, "_schema", None)  # operators of higher order have none
    names = [one.name for one in schema.arguments] if schema else [str(at) for at in range(len(args))]
    return [*zip(names, args), *kwargs.items()]


class _Dispatched(TorchDispatchMode):
    """Runs all calls as they are, and keeps the different ones."""

    supports_higher_order_operators = True  # what they call inside is not seen

    def __init__(self):
        super().__init__()
        self.found = {}

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        call = {"operator": str(function),
                "parameters": [{"name": name, "value": _value(value)} for name, value in _named(function, args, kwargs)]}
        self.found.setdefault(json.dumps(call), call)
        return function(*args, **kwargs)


def calls_of(source):
    """Of a program that eager takes, in the order of their first: [{"operator", "parameters": [{"name", "value"}]}]. In a
    run of their own: where somebody looks at its calls, torch takes other ways (backward of prod does)."""
    dispatched = _Dispatched()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = check.executed(source)
        arguments = module.make_inputs()
        try:
            with dispatched:
                check.backward(module.program(*arguments))
        except Exception:  # a program that behaves otherwise then: what it called until then
            pass
    return list(dispatched.found.values())
