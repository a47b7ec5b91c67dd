"""What a torch callable is called in a program, what its parameters are called, and which operator it is."""

import functools
import importlib
import inspect

import torch
import torch.overrides

from . import CannotWrite

# In this order: the first name of a callable is its name.
_SPACES = ("torch", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special", "torch.signal.windows",
           "torch.sparse", "torch.nested", "torch.nn.init", "torch.functional", "torch._C._nn", "torch._C._linalg",
           "torch._C._fft", "torch._C._special")
# Questions about a tensor and bookkeeping: none is an operator.
_QUESTIONS = """size dim ndimension stride numel nelement element_size storage_offset is_contiguous is_floating_point
is_complex is_signed is_conj is_neg is_inference is_same_size is_set_to is_shared is_pinned get_device data_ptr
untyped_storage storage storage_type has_names type_as_name __len__ __repr__ __str__ __format__ __hash__ __dir__
__deepcopy__ __reduce__ __reduce_ex__ __setstate__ __contains__ __cuda_array_interface__ backward register_hook
register_post_accumulate_grad_hook _set_grad_enabled requires_grad_ retain_grad share_memory_ numpy tolist __array__ __array_wrap__
__dlpack__ __dlpack_device__ dim_order __class__ _is_view _backward_hooks""".split()
_GETTERS = {"T", "H", "mT", "mH", "real", "imag", "data"}
# What Python and torch call otherwise, without the underscores.
_SPELT = {"getitem": "index", "setitem": "index_put", "truediv": "div", "floordiv": "floor_divide", "mod": "remainder"}
# What torch calls "bitwise_" and this.
_BITWISE = {"and": "and", "or": "or", "xor": "xor", "invert": "not", "lshift": "left_shift", "rshift": "right_shift"}


def uninitialised(name):
    """The result of a callable of that name holds whatever memory held before."""
    last = name.rpartition(".")[2]
    return last.removeprefix("new_").startswith("empty") or last in ("resize_", "resize_as_", "_efficientzerotensor", "set_")


@functools.cache
def _table():
    """id of a callable: (form, name, the callable itself, so that its id stays its own)."""
    table = {}
    for space in _SPACES:
        try:
            module = importlib.import_module(space)
        except ImportError:
            module = functools.reduce(getattr, space.split(".")[1:], torch)
        for name in sorted(dir(module)):
            one = getattr(module, name, None)
            if callable(one) and not isinstance(one, type) and not (name.startswith("__") and name.endswith("__")):
                # The name without an underline in front is the public one.
                if id(one) not in table or table[id(one)][1].rpartition(".")[2].startswith("_") and name[0] != "_":
                    table[id(one)] = ("function", f"{space}.{name}", one)
    for name in sorted(dir(torch.Tensor)):
        one = getattr(torch.Tensor, name)
        if callable(one) and not isinstance(one, type) and hasattr(one, "__name__"):
            table.setdefault(id(one), ("method", name, one))
    return table


def _property(func):
    """(the attribute, "get" or "set") of what reads or writes one; else None."""
    kind = {"__get__": "get", "__set__": "set"}.get(getattr(func, "__name__", ""))
    owner = getattr(func, "__self__", None)
    if not kind or owner is None:
        return None
    name = getattr(owner, "__name__", "") or getattr(getattr(owner, "fget", None), "__name__", "")
    return (name, kind) if name else None


def is_question(func):
    """Whether a callable only asks or keeps the books."""
    if found := _property(func):
        return found[0] not in _GETTERS
    return getattr(func, "__name__", "") in _QUESTIONS


def of(func):
    """(form, name) as `text.Writer.call` takes them; raises CannotWrite for what has no public name."""
    if found := _property(func):
        return found[1], found[0]
    known = _table().get(id(func))
    if known and known[2] is func:
        return known[0], known[1]
    if isinstance(func, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
        return "function", f"torch.ops.{func}"
    raise CannotWrite(f"{getattr(func, '__name__', type(func).__name__)} has no public name")


def module_name(cls):
    """The name of a class of torch's modules; raises CannotWrite for others."""
    for space in (torch.nn, torch.nn.utils):
        if getattr(space, cls.__name__, None) is cls:
            return f"{space.__name__}.{cls.__name__}"
    raise CannotWrite(f"the module class {cls.__name__}")


@functools.cache
def _testing_overrides():
    return torch.overrides.get_testing_overrides()


def parameters(func, args, kwargs):
    """[(name, value)] of what a call gives, by the callable's own names where they are known."""
    try:
        stand_in = _testing_overrides().get(func, func)
        bound = inspect.signature(stand_in).bind_partial(*args, **kwargs)
        found = []
        for name, value in bound.arguments.items():
            kind = bound.signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                found += [(f"{name}{i}", one) for i, one in enumerate(value)]
            elif kind is inspect.Parameter.VAR_KEYWORD:
                found += list(value.items())
            else:
                found.append((name, value))
        return found
    except (TypeError, ValueError):
        return [(f"argument{i}", one) for i, one in enumerate(args)] + list(kwargs.items())


def operator_of(name):
    """The operator of a name, its forms as one: torch.add, Tensor.add_ and + are "add", torch.linalg.norm is
    "linalg_norm", torch.nn.functional.relu is "relu", the module class torch.nn.ReLU "nn.ReLU"."""
    space, _, last = name.rpartition(".")
    if space.startswith("torch.ops."):
        last = name.split(".")[3]
        space = "torch"
    if space == "torch.nn" or space == "torch.nn.utils":
        return f"nn.{last}"
    if last.startswith("__") and last.endswith("__"):
        bare = last[2:-2]
        bare = bare[1:] if bare[:1] in "ri" and f"__{bare[1:]}__" in dir(int) else bare
        return f"bitwise_{_BITWISE[bare]}" if bare in _BITWISE else _SPELT.get(bare, bare)
    last = last.rstrip("_") or last
    prefix = {"torch.linalg": "linalg_", "torch.fft": "fft_", "torch.sparse": "sparse_", "torch._C._linalg": "",
              "torch._C._fft": ""}.get(space, "")
    return prefix + (last[8:] if last.startswith("special_") else last)
