"""Sums that land at indices, means and products that no order of computing rounds, because all their terms are whole
numbers, or multiples of a power of two, and few enough. Counts are such sums.

Half types may be rounded after each step: what counts is how many digits the type of the result has. A mean may be
computed by the reciprocal of the count: this is exact where the count is a power of two, except on a GPU, where
quotients are approximate.
"""

import math

import torch

from ..compat import eager
from . import exactness, results

# More elements are not looked at: a run with moved roundings must not take much longer.
_MOST = 1 << 20
# Terms are multiples of one of these parts of one.
_PARTS = (1, 4, 32, 1024)


def known(function, arguments, keywords):
    """What such an operator gives, in float64, and NaN where it may round; None where that isn't known."""
    name = exactness.bare_name(function)
    call = _Call(function, arguments, keywords)
    if not call.terms or sum(item.numel() for item in call.terms) > _MOST or any(item.is_complex() for item in call.terms):
        return None
    if any(map(results.has_long_numbers, call.terms)):
        return None
    if name in exactness.MULTIPLY:
        return _exact(call, call.again(_size_of_factor))
    if name in exactness.ADD_AT_INDICES:
        return _added(call)
    return _mean(call) if call.terms[0].device.type == "cpu" else None


class _Call:
    """A call that can be made again with other terms, in float64."""

    def __init__(self, function, arguments, keywords):
        self.given = results.named(function, arguments, keywords)
        self.dimensions = 3 if exactness.bare_name(function).endswith("3d") else 2
        given = [item for name, item in self.given.items() if name != "out"]
        self.terms = [item for item in results.tensors(given) if _is_term(item)]
        self._call = function, arguments, keywords

    def most(self):
        """Up to here the type of the result holds all whole numbers."""
        dtype = self.given.get("dtype")
        dtypes = [dtype] if dtype is not None else [item.dtype for item in self.terms]
        return min(2 / torch.finfo(dtype).eps for dtype in dtypes)

    def again(self, change, **others):
        """`change(term)`: what stands for a term. `others`: arguments that have other values."""

        def changed(name, item):
            if name in others:
                return others[name]
            if name == "out":
                return torch.empty(0, dtype=torch.float64, device=item.device)
            if isinstance(item, torch.dtype):
                return torch.float64
            return change(item.to(torch.float64, copy=True)) if isinstance(item, torch.Tensor) and _is_term(item) else item

        function, arguments, keywords = self._call
        names = [argument.name for argument in eager.schema_of(function).arguments]
        return function(*map(changed, names, arguments), **{name: changed(name, item) for name, item in keywords.items()})


def _is_term(item):
    return (item.is_floating_point() or item.is_complex()) and results.has_memory(item)


def _exact(call, sizes):
    """`sizes`: no step of the computation is larger."""
    return torch.where(sizes <= call.most(), call.again(lambda term: term), torch.nan)


def _size_of_factor(term):
    return torch.where(term.frac() == 0, term.abs().clamp(min=1), torch.inf)


def _part_of(call):
    """The coarsest part of which all terms are multiples, or the finest."""
    for part in _PARTS[:-1]:
        if all(bool((term.double() * part).frac().eq(0).all()) for term in call.terms):
            return part
    return _PARTS[-1]


def _size_of_term(part):
    return lambda term: torch.where((term * part).frac() == 0, term.abs() * part, torch.inf)


def _added(call):
    scale, reduce = call.given.get("alpha", 1), call.given.get("reduce", "sum")
    if scale != int(scale) or reduce not in ("sum", "mean"):
        return None
    others = {"alpha": abs(scale)} if "alpha" in call.given else {}
    if reduce == "sum":
        return _exact(call, call.again(_size_of_term(_part_of(call)), **others))
    if call.terms[0].device.type != "cpu":
        return None
    counts = call.again(torch.ones_like, reduce="sum")
    sizes = call.again(_size_of_term(_part_of(call)), reduce="sum")
    return torch.where(_is_power_of_two(counts), _exact(call, sizes), torch.nan)


def _is_power_of_two(counts):
    return torch.frexp(counts).mantissa == 0.5


def _mean(call):
    given = call.given
    if _is_padded(given.get("padding", 0)) or given.get("ceil_mode") or given.get("divisor_override"):
        return None
    sizes = call.again(_size_of_term(_part_of(call)))
    count = _window(call) or call.terms[0].numel() // max(sizes.numel(), 1)
    return _exact(call, sizes * count) if count & (count - 1) == 0 else None


def _is_padded(padding):
    return any(padding) if isinstance(padding, (list, tuple)) else bool(padding)


def _window(call):
    """How many elements an average is of, if that is an argument of the operator."""
    kernel = call.given.get("kernel_size")
    return kernel and math.prod(kernel) ** (call.dimensions // len(kernel))
