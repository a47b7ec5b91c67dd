"""Calls of torch.ops.aten, which exported models are made of, by their public names where these take the same arguments."""

import inspect

import torch

NOTHING = "nothing"  # of a call that only checks

_CHECKS = {"_assert_async", "_assert_scalar", "_assert_tensor_metadata", "sym_constrain_range_for_size",
           "sym_constrain_range"}
_FUNCTIONS = {"lift_fresh_copy": "torch.clone"}
_SPACES = {"linalg_": torch.linalg, "fft_": torch.fft, "special_": torch.special}
# What a call need not say.
USUAL = {"device": torch.device("cpu"), "layout": torch.strided, "pin_memory": False}


def _slice(args, kwargs):
    """x[:, start:end:step]; None when something isn't a plain number."""
    x, dim, start, end, step = [*args, *[0, None, None, 1][len(args) - 1:]]
    if kwargs or any(one is not None and type(one) is not int for one in (dim, start, end, step)):
        return None
    end = None if end is not None and end >= 2**62 else end
    part = slice(start, end, None if step == 1 else step)
    index = tuple([slice(None)] * (dim % x.dim()) + [part])
    return "method", "__getitem__", (x, index if len(index) > 1 else part), {}


def _c_function(name):
    """The public name of a function that is generated from the operator, and so takes what it takes."""
    if name.startswith("_"):
        return None
    generated = getattr(torch._C._VariableFunctions, name, None)
    if generated is not None and generated is getattr(torch, name, None):
        return f"torch.{name}"
    for prefix, space in _SPACES.items():
        found = getattr(space, name[len(prefix):], None) if name.startswith(prefix) else None
        if type(found).__name__ == "builtin_function_or_method":
            return f"{space.__name__}.{name[len(prefix):]}"
    found = getattr(torch.nn.functional, name, None)
    return f"torch.nn.functional.{name}" if found is not None and found is getattr(torch._C._nn, name, None) else None


def _python_function(schema):
    """The name in torch.nn.functional of a function in Python that takes what the operator takes: parameters of the same
    names and defaults in the same order, and behind them at most `inplace`."""
    name = schema.name.partition("::")[2]
    function = getattr(torch.nn.functional, name, None)
    if not inspect.isfunction(function):
        return None
    own = list(inspect.signature(function).parameters.values())
    its = [("input" if one.name == "self" else one.name, one.default_value) for one in schema.arguments]
    same = [(one.name, None if one.default is one.empty else one.default) for one in own[:len(its)]] == its
    return f"torch.nn.functional.{name}" if same and all(one.name == "inplace" for one in own[len(its):]) else None


def public(func, args, kwargs, names=True):
    """(form, name, args, kwargs) of an ATen call; NOTHING of one to leave out; None where there is no public form. With
    `names` false only what has to be another."""
    if not isinstance(func, torch._ops.OpOverload) or func.namespace != "aten":
        return None
    name = func._schema.name.partition("::")[2]
    kwargs = {key: value for key, value in kwargs.items() if value is not None and USUAL.get(key, kwargs) != value}
    if name in _CHECKS:
        return NOTHING
    method = getattr(torch.Tensor, name, None)
    takes = args and isinstance(args[0], torch.Tensor) and type(method).__name__ == "method_descriptor"
    if takes and func._schema.is_mutable:  # by which it is known that it writes
        return "method", name, args, kwargs
    if not names:
        return None
    if name == "slice":
        return _slice(args, kwargs)
    if function := _FUNCTIONS.get(name) or _c_function(name) or _python_function(func._schema):
        return "function", function, args, kwargs
    return ("method", name, args, kwargs) if takes else None
