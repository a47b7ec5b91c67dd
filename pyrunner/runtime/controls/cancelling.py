"""Additional noise of Monte Carlo arithmetic for sums whose terms cancel, or are many and alike.

A sum is rounded by as much as its largest terms, not as its result: in another order the terms that give exactly zero here
leave some units of theirs. Noise on the result does not show that, and there is none on a zero. A variance is a sum of
squares of distances from a mean that is rounded in the same way. Where no order of adding rounds, nothing is added.

Where there are many terms, other orders differ by more than one unit of the sum. Terms that are alike are all rounded in
the same direction, so that the error of adding them one after the other grows with their number, and otherwise with its
square root.
"""

import math

import torch

from ..compat import eager
from . import exactness, results

_NORMS = {"linalg_vector_norm", "norm"}  # roots of sums
_VARIANCES = {"var", "std", "var_mean", "std_mean"}
# Terms are so many times the result where they cancel. Chosen, not measured.
_TIMES = 16
# Where so many terms are added up, other orders differ by more than one unit of the result: by their square root, divided
# by so many, or, where terms are alike, by their number, divided by the sums that are added up side by side, and by two
# units at least. Terms are alike if they differ by such a part of the largest. Chosen: eight times as much is allowed, and
# eight sums of equal float32 numbers, added one after the other, were off by half of that at most.
_MANY = 16
_LEAST = 2.0
_ROOTS = 16
_LANES = 256
_ALIKE = 1 / 1024
# Multiples of this part of one, in sums that stay below what the type holds exactly, don't round.
_PART = 1024


def add(function, arguments, keywords, result, generator):
    """Moves the elements of the result that cancelled, or are sums of many, by units of their terms."""
    name = exactness.bare_name(function)
    is_loss = exactness.is_loss(function)
    is_sum = exactness.adds_up(function) or is_loss or name in _VARIANCES or name in _NORMS
    if not is_sum or eager.schema_of(function).is_mutable:
        return
    first = result[0] if isinstance(result, (list, tuple)) else result
    operands = results.tensors(arguments)[:1 if is_loss else None]  # targets may be integers
    if not isinstance(first, torch.Tensor) or not all(map(results.has_floats, [first, *operands])):
        return
    if is_loss:
        _move_many(name, [_terms_of_loss(function, arguments, keywords)], first, generator, ([], False))
        return
    if name in _NORMS:
        if not (len(arguments) > 1 and arguments[1] in (0, math.inf, -math.inf)):  # orders that add nothing up
            rest = [arguments[0], *arguments[2:]]
            _move_many(name, operands, first, generator, (_dims(rest, keywords), _keeps(rest, keywords)))
        return
    dims = (_dims(arguments, keywords), _keeps(arguments, keywords)) if len(operands) == 1 else ([], False)
    if name in _VARIANCES:
        mean = _move_variance(name, arguments, keywords, first, generator)
        x = operands[0]
        distances = x - x.mean(dims[0] or list(range(x.dim())), keepdim=True)
        _move_many(name, [distances.square()], first, generator, dims)
        if mean is not None and name.endswith("_mean"):
            _move_sum(result[1], mean, generator)
        return
    if len(operands) == 1 and _adds_two(operands[0], first):
        return
    terms = function(*_sizes(arguments), **_sizes(keywords))
    if terms.shape != first.shape or _is_exact(operands, terms):
        return
    _move_sum(first, terms, generator)
    _move_many(name, operands, first, generator, dims)


def _move_sum(result, terms, generator):
    moved = _drawn(result, generator) * terms.to(torch.float64) * _unit(result)
    _add_where(result, (result.abs() * _TIMES < terms).logical_and_(terms.isfinite()), moved)


def _move_many(name, operands, result, generator, dims):
    """`dims`: those over which a reduction goes, and whether it keeps them."""
    many = _terms_of_each(name, operands, result)
    if many < _MANY:
        return
    units = torch.full_like(result, max(_LEAST, many**0.5 / _ROOTS), dtype=torch.float64)
    if len(operands) == 1:
        alike = _are_alike(operands[0], *dims)
        if alike.shape == units.shape:
            units = torch.where(alike, max(_LEAST, many / _LANES), units)
    drawn = torch.rand(result.shape, generator=generator, dtype=torch.float64).to(result.device) * 2 - 1
    moved = drawn * units * _unit(result) * result.abs().to(torch.float64)
    _add_where(result, moved.isfinite(), moved)


def _terms_of_loss(function, arguments, keywords):
    """What the loss is the sum or the mean of."""
    names = [argument.name for argument in eager.schema_of(function).arguments]
    at = names.index("reduction")
    if at < len(arguments):
        arguments = [*arguments[:at], 0, *arguments[at + 1:]]
    else:
        keywords = {**keywords, "reduction": 0}
    terms = function(*arguments, **keywords)
    return terms[0] if isinstance(terms, (list, tuple)) else terms


def _terms_of_each(name, operands, result):
    """How many terms each element of the result is the sum of."""
    if len(operands) == 1:
        return operands[0].numel() // max(result.numel(), 1)
    if name == "convolution":
        return operands[1][0].numel()
    first = operands[1 if name.startswith(("add", "badd")) else 0]
    return first.shape[-1] if first.dim() else 1


def _are_alike(operand, dims, keepdim):
    """For each element of a reduction whether its terms are alike."""
    sizes = operand.abs()
    dims = list(dims) or list(range(operand.dim()))
    return sizes.amax(dims, keepdim) - sizes.amin(dims, keepdim) <= sizes.amax(dims, keepdim) * _ALIKE


def _dims(arguments, keywords):
    dims = arguments[1] if len(arguments) > 1 else keywords.get("dim")
    return [dims] if isinstance(dims, int) else dims or []


def _keeps(arguments, keywords):
    """Sums and means have `keepdim` behind the dimensions, variances by its name."""
    if len(arguments) > 2 and isinstance(arguments[2], bool):
        return arguments[2]
    return bool(keywords.get("keepdim"))


def _move_variance(name, arguments, keywords, first, generator):
    """The mean size of the terms; None where nothing rounds."""
    x = arguments[0]
    if _adds_two(x, first):
        return None
    dims = _dims(arguments, keywords) or list(range(x.dim()))
    mean = x.to(torch.float64).abs().mean(dims, keepdim=bool(keywords.get("keepdim")))
    if mean.shape != first.shape or _is_exact([x], mean):
        return None
    shift = (_drawn(first, generator) * mean * _unit(first)).square()
    before = first.to(torch.float64)
    is_root = name.startswith("std")
    variance = before.square() if is_root else before
    moved = (variance + shift).sqrt() - before if is_root else shift
    _add_where(first, (variance < (mean * _TIMES * _unit(first)).square()).logical_and_(moved.isfinite()), moved)
    return mean


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
