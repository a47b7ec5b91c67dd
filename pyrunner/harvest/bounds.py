"""In which interval the results of a call lie, whatever its arguments are inside given intervals.

The call runs once on its recorded arguments, and every ATen call that it dispatches to is looked at: of each tensor that
depends on a free argument an interval is kept, that of a result follows from those of its operands by the rules of bound_rules
and bound_sums. What depends on recorded arguments alone is a constant, whose interval is measured. Calls without a rule,
results that may be infinite, and everything that makes Python ask for an element (so that the call might take another way)
are Unbounded. Intervals are kept by storage, so that views and what is written through them share one.
"""

import math
from typing import NamedTuple

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from . import bound_sums, tree  # noqa: F401  (bound_sums adds rules)
from .bound_rules import JUMPS, RULES
from .intervals import Unbounded, hull, largest

# As the generator's range_of: beyond it sums and gradients may not stay finite.
RANGES = {torch.bool: (0, 1), torch.uint8: (0, 255), torch.int8: (-128, 127), torch.int16: (-32768, 32767),
          torch.int32: (-(2**31), 2**31 - 1), torch.int64: (-(2**52), 2**52), torch.float16: (-20000, 20000),
          torch.float64: (-1e15, 1e15), torch.complex128: (-1e15, 1e15)}
WIDE = (-1e9, 1e9)
INDEXING = {"gather", "index_select", "index", "take", "scatter", "scatter_add", "index_add", "index_put", "index_copy",
            "index_fill", "embedding", "put", "scatter_reduce", "index_reduce", "take_along_dim", "repeat_interleave"}


def is_whole(dtype):
    return not dtype.is_floating_point and not dtype.is_complex


def inside(one, wide):
    return wide[0] <= one[0] and one[1] <= wide[1]


def measured(tensor):
    """The interval of a tensor's elements, of complex ones over both parts. Raises Unbounded where one isn't finite."""
    if tensor.numel() == 0:
        return 0.0, 0.0
    plain = tensor.detach().resolve_conj().resolve_neg()
    plain = torch.view_as_real(plain) if plain.is_complex() else plain
    plain = plain.double()
    if not bool(plain.isfinite().all()):
        raise Unbounded("a constant that is not finite")
    return plain.min().item(), plain.max().item()


class Known(NamedTuple):
    interval: tuple
    jumps: bool = False


class Call:
    """One ATen call that was made, for the rules: its parameters by name, defaults too."""

    def __init__(self, function, args, kwargs, known):
        self.name = function.overloadpacket.__name__.rstrip("_") or function.overloadpacket.__name__
        self.known = known
        self.parameters = {}
        self.before = {}  # id of a tensor that it writes: where its elements lay
        self.written = []
        for at, one in enumerate(function._schema.arguments):
            value = args[at] if at < len(args) else kwargs.get(one.name, one.default_value)
            self.parameters[one.name] = value
            if one.alias_info is not None and one.alias_info.is_write and isinstance(value, torch.Tensor):
                self.written.append(value)
        self.before = {id(one): self.bound_of(one) for one in self.written}
        self.out = []

    def results(self):
        return self.out

    def tensors(self):
        return [one for one in tree_leaves(list(self.parameters.values())) if isinstance(one, torch.Tensor)]

    def is_moving(self, value):
        """Whether it depends on a free argument."""
        return isinstance(value, torch.Tensor) and tree.storage_of(value) in self.known

    def is_complex(self):
        return any(one.is_complex() for one in self.tensors())

    def bound_of(self, value):
        """The interval of a tensor or number."""
        if isinstance(value, torch.Tensor):
            if id(value) in self.before:
                return self.before[id(value)]
            found = self.known.get(tree.storage_of(value))
            return found.interval if found else measured(value)
        if isinstance(value, complex):
            return -abs(value), abs(value)
        number = float(value)
        if not math.isfinite(number):
            raise Unbounded("a number that is not finite")
        return number, number

    def value(self, name):
        return self.parameters[name]

    def given(self, name):
        return self.parameters.get(name)

    def of(self, name, default=None):
        value = self.parameters.get(name)
        value = default if value is None else value
        if value is None:
            raise Unbounded(f"no {name}")
        return self.bound_of(value)

    def bound(self, *names):
        """Of the first of these parameters that is given; None without any."""
        return next((self.bound_of(self.parameters[name]) for name in names if self.parameters.get(name) is not None), None)

    def numbers(self, name):
        value = self.parameters.get(name)
        return [self.bound_of(value)] if isinstance(value, (int, float, complex)) else []

    def operands(self):
        """The intervals of the tensors of the results' kind: indices and masks are none of floats."""
        whole = is_whole(self.out[0].dtype)
        same = [one for one in self.tensors() if is_whole(one.dtype) == whole]
        return [self.bound_of(one) for one in same or self.tensors()]


class Bounds(TorchDispatchMode):
    """Knows the intervals of what depends on the free tensors."""

    def __init__(self, free):
        super().__init__()
        self.known = {tree.storage_of(tensor): Known(interval) for tensor, interval in free}
        self.alive = []  # storages are known by their addresses: none may go and come again

    def of(self, tensor):
        return self.known.get(tree.storage_of(tensor))

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        moving = [one for one in tree_leaves((args, kwargs)) if isinstance(one, torch.Tensor) and self.of(one)]
        if not moving:
            result = function(*args, **kwargs)
            self.alive.append(result)
            return result
        call = Call(function, args, kwargs, self.known)
        if "out" in kwargs or call.name not in RULES:
            raise Unbounded(f"no rule for {call.name}")
        if call.name in INDEXING and any(is_whole(one.dtype) for one in moving):
            raise Unbounded("places that move")
        result = function(*args, **kwargs)
        call.out = [one for one in tree_leaves(result) if isinstance(one, torch.Tensor)]
        if not call.out or {id(one) for one in call.written} - {id(one) for one in call.out}:
            raise Unbounded(f"{call.name} writes to what it doesn't return")
        self.alive.append(result)
        rounds = call.name in JUMPS or bool(call.given("rounding_mode"))
        self.keep(call, rounds or any(self.of(one).jumps for one in moving), any(not is_whole(one.dtype) for one in moving))
        return result

    def keep(self, call, jumps, floats):
        found = RULES[call.name](call)
        told = found if isinstance(found[0], tuple) else [found] * len(call.out)
        for one, interval in zip(call.out, told, strict=False):
            if one.numel() == 0:
                continue
            was = self.of(one)
            if id(one) in call.before:
                interval = hull(interval, call.before[id(one)])
            elif was:  # a view
                interval = was.interval
            if one.is_complex():  # conjugates share memory
                interval = -largest(interval), largest(interval)
            if not inside(interval, RANGES.get(one.dtype, WIDE)):
                raise Unbounded(f"{call.name} may be too large")
            jumps_too = bool(was and was.jumps) or floats and is_whole(one.dtype)
            self.known[tree.storage_of(one)] = Known(interval, jumps or jumps_too)


def results_of(program, arguments, intervals):
    """[(interval, jumps)] of each result when the arguments that have an interval (not None) may be any in theirs; jumps is
    whether it may jump where an argument moves a little. Raises Unbounded, and whatever eager raises."""
    given = [one.detach().clone() if one.is_contiguous() else one.detach() for one in arguments]
    free = [(one, interval) for one, interval in zip(given, intervals) if interval is not None and one.numel()]
    with Bounds(free) as bounds:
        out = program(*given)
    found = []
    for one in out if isinstance(out, (list, tuple)) else [out]:
        known = bounds.of(one)
        found.append((known.interval, known.jumps) if known else (measured(one), False))
    return found
