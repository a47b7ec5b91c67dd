"""Additional noise of Monte Carlo arithmetic for sums whose terms cancel.

A sum is rounded by as much as its largest terms, not as its result: in another order the terms that give exactly zero here
leave some units of theirs. Noise on the result does not show that, and there is none on a zero. A variance is a sum of
squares of distances from a mean that is rounded in the same way. Where no order of adding rounds, nothing is added.
"""

import torch

from ..compat import eager
from . import exactness, results

_VARIANCES = {"var", "std", "var_mean", "std_mean"}
# Terms are so many times the result where they cancel. Chosen, not measured.
_TIMES = 16
# Multiples of this part of one, in sums that stay below what the type holds exactly, don't round.
_PART = 1024


def add(function, arguments, keywords, result, generator):
    """Moves the elements of the result that cancelled by up to one unit of their terms."""
    name = exactness.bare_name(function)
    if not (exactness.adds_up(function) or name in _VARIANCES) or eager.schema_of(function).is_mutable:
        return
    first = result[0] if isinstance(result, (list, tuple)) else result
    operands = results.tensors(arguments)
    if not isinstance(first, torch.Tensor) or not all(map(results.has_floats, [first, *operands])):
        return
    if name in _VARIANCES:
        _move_variance(name, arguments, keywords, first, generator)
        return
    if len(operands) == 1 and _adds_two(operands[0], first):
        return
    terms = function(*_sizes(arguments), **_sizes(keywords))
    if terms.shape == first.shape and not _is_exact(operands, terms):
        moved = _drawn(first, generator) * terms.to(torch.float64) * _unit(first)
        _add_where(first, (first.abs() * _TIMES < terms).logical_and_(terms.isfinite()), moved)


def _move_variance(name, arguments, keywords, first, generator):
    x = arguments[0]
    if _adds_two(x, first):
        return
    dims = (arguments[1] if len(arguments) > 1 else keywords.get("dim")) or list(range(x.dim()))
    mean = x.to(torch.float64).abs().mean(dims, keepdim=bool(keywords.get("keepdim")))
    if mean.shape != first.shape or _is_exact([x], mean):
        return
    shift = (_drawn(first, generator) * mean * _unit(first)).square()
    before = first.to(torch.float64)
    is_root = name.startswith("std")
    variance = before.square() if is_root else before
    moved = (variance + shift).sqrt() - before if is_root else shift
    _add_where(first, (variance < (mean * _TIMES * _unit(first)).square()).logical_and_(moved.isfinite()), moved)


def _add_where(result, cancelled, moved):
    result.add_(torch.where(cancelled, moved, 0).to(result.dtype))


def _drawn(result, generator):
    return torch.randint(-1, 2, result.shape, generator=generator, device="cpu").to(result.device, torch.float64)


def _unit(result):
    """Half types are added up in float32."""
    return min(torch.finfo(result.dtype).eps, torch.finfo(torch.float32).eps)


def _adds_two(operand, result):
    """There is one order of adding two terms, and the mean of equal ones is exact."""
    return operand.numel() <= 2 * result.numel()


def _is_exact(operands, terms):
    most = 2**52 if terms.dtype is torch.float64 else 2**23
    for part in (1, _PART):
        of_each = part if len(operands) == 1 else round(part**0.5)
        whole = all(bool((item.to(torch.float64) * of_each).frac().eq(0).all()) for item in operands)
        if whole and bool((terms.to(torch.float64) * part < most).all()):
            return True
    return False


def _sizes(items):
    """The operands, and numbers that multiply them, without their signs."""
    if isinstance(items, dict):
        return {name: abs(item) if name in ("alpha", "beta") else item for name, item in items.items()}
    return [item.abs() if isinstance(item, torch.Tensor) else item for item in items]
