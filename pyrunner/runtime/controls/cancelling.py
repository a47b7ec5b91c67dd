"""Additional noise of Monte Carlo arithmetic for sums whose terms cancel, or are many and alike.

A sum is rounded by as much as its largest terms, not as its result: in another order the terms that give exactly zero here
leave some units of theirs. Noise on the result does not show that, and there is none on a zero. A variance is a sum of
squares of distances from a mean that is rounded in the same way. Where no order of adding rounds, nothing is added.

Operators that add a product or a part of another operand to an operand round once in eager. A compiler that computes that
part by an operator of its own rounds it to the result's type first, which in half types is far coarser.

Where there are four terms or more, other orders differ by more than one unit of the sum. Terms that are alike are all rounded in
the same direction, so that the error of adding them one after the other grows with their number, and otherwise with its
square root.
"""

import math

import torch

from ..compat import eager
from . import exactness, overflow, results

_NORMS = {"linalg_vector_norm", "norm"}  # roots of sums
_VARIANCES = {"var", "std", "var_mean", "std_mean"}
_COMBINE = {"addcdiv", "addcmul", "lerp"}
# Terms are so many times the result where they cancel; where parts are rounded to the result's type, fewer. Chosen, not
# measured.
_TIMES = 16
_TIMES_OF_PARTS = 4
# Where so many terms are added up, other orders differ by more than one unit of the result: by two units at least, by the
# square root of their number, divided by so many, or, where terms are alike, by their number, divided by the sums that are
# added up side by side. Terms are alike if they differ by such a part of the largest. Chosen: eight times as much is allowed, and
# eight sums of equal float32 numbers, added one after the other, were off by half of that at most.
_MANY = 4
_LEAST = 2.0
_ROOTS = 16
_LANES = 256
_ALIKE = 1 / 1024
# Multiples of this part of one, in sums that stay below what the type holds exactly, don't round.
_PART = 1024
# What is left of terms that cancel is zero in some runs if it is within so many units of them. Chosen, not measured.
_LEFT = 4


def operands_before(function, arguments):
    """The arguments, with a copy of an operand that the operator adds to and writes into: what was added up must still be
    there afterwards."""
    if not _adds(function):
        return arguments
    writes = exactness.written_names(function)
    names = [argument.name for argument in eager.schema_of(function).arguments]
    return tuple(_copied(item) if name in writes else item for name, item in zip(names, arguments))


def _copied(item):
    return [entry.clone() for entry in item] if isinstance(item, (list, tuple)) else item.clone()


def add(function, arguments, keywords, made, generator):
    """Moves the elements of what the operator made or wrote that cancelled, or are sums of many, by units of their terms.
    `arguments`: as operands_before() gave them."""
    name = exactness.bare_name(function)
    is_loss, is_sum = exactness.is_loss(function), _adds(function)
    if not (is_loss or is_sum or name in _VARIANCES or name in _NORMS):
        return
    if eager.schema_of(function).is_mutable and not is_sum:
        return
    given = results.named(function, arguments, keywords)
    if name in _NORMS or name in _COMBINE:
        add_to = _add_to_norm if name in _NORMS else _add_to_combination
        for number, result in enumerate(made):
            add_to(name, _entry(given, number), result, generator)
    elif isinstance(arguments[0], (list, tuple)):
        return
    elif is_loss and _are_floats(made[0], arguments[0]):  # targets may be integers
        terms = _terms_of_loss(function, arguments, keywords)
        _move_many(name, [terms], made[0], generator, _Over(terms, {}))
    elif name in _VARIANCES and _are_floats(made[0], arguments[0]):
        _add_to_variance(name, arguments[0], given, made, generator)
    elif is_sum and _are_floats(made[0], *results.tensors(arguments)):
        _add_to_sum(name, _Sum(function, arguments, keywords), made[0], generator)


def _entry(given, number):
    """The arguments of one entry, if the operator is one of lists."""
    if not isinstance(given["self"], (list, tuple)):
        return given
    return {key: item[number] if isinstance(item, (list, tuple)) else item for key, item in given.items()}


class _Over:
    """What a reduction goes over: the dimensions, and whether it keeps them."""

    def __init__(self, operand, given):
        dims = given.get("dim")
        dims = [dims] if isinstance(dims, int) else dims
        self.dims = list(dims or range(operand.dim()))
        self.keeps = bool(given.get("keepdim"))


class _Sum:
    """A call of an operator that adds up, which can be made again with other operands of the same shapes."""

    def __init__(self, function, arguments, keywords):
        self.operands = results.tensors(arguments)
        self.given = results.named(function, arguments, keywords)
        self._call = function, arguments, keywords

    def sizes(self):
        """The sum of the terms without their signs, and so without those of numbers that multiply them."""
        return self._again(torch.abs, abs, None)

    def sizes_in_float64(self, scale=1.0):
        """`scale`: what each operand is multiplied by, a power of two."""
        return self._again(lambda item: item.to(torch.float64).abs() * scale, abs, torch.float64)

    def in_float64(self, scale=1.0):
        return self._again(lambda item: item.to(torch.float64) * scale, lambda factor: factor, torch.float64)

    def _again(self, operand, factor, dtype):
        def keyword(name, item):
            if name in ("alpha", "beta"):
                return factor(item)
            if isinstance(item, torch.Tensor):  # what the operator writes into
                return torch.empty(0, dtype=dtype or item.dtype, device=item.device)
            return dtype if dtype is not None and isinstance(item, torch.dtype) else item

        function, arguments, keywords = self._call
        operands = [operand(item) if isinstance(item, torch.Tensor) else item for item in arguments]
        return function(*operands, **{name: keyword(name, item) for name, item in keywords.items()})


def without_rounding(function, arguments, keywords):
    """What an operator that adds up gives in float64, if no order of adding rounds; else None."""
    added = _Sum(function, arguments, keywords)
    if any(item.is_complex() or not results.has_memory(item) for item in added.operands):
        return None
    wide = any(map(_is_wide, added.operands))
    if any(isinstance(item, torch.dtype) for item in arguments) or wide and not exactness.only_adds_up(function):
        return None
    return added.in_float64() if is_exact(added.operands, added.sizes_in_float64, wide) else None


def _is_wide(item):
    return item.dtype is torch.float64


def _are_floats(*items):
    return all(map(results.has_floats, items))


def _adds(function):
    return exactness.adds_up(function) or exactness.bare_name(function) in _COMBINE


def _adds_to_operand(name):
    """Of a sum of products: whether these are added to the first operand."""
    return name.startswith(("add", "badd"))


def _add_to_norm(name, given, result, generator):
    operand = given["self"]
    if given.get("ord", given.get("p")) in (0, math.inf, -math.inf):  # orders that add nothing up
        return
    if _are_floats(result, operand):
        _move_many(name, [operand], result, generator, _Over(operand, given))


def _add_to_variance(name, operand, given, made, generator):
    over = _Over(operand, given)
    mean = _move_variance(name, operand, over, made[0], generator)
    distances = operand - operand.mean(over.dims, keepdim=True)
    _move_many(name, [distances.square()], made[0], generator, over)
    if mean is not None and name.endswith("_mean"):
        _move_sum(made[1], mean, generator)


def _add_to_sum(name, added, result, generator):
    operands = added.operands
    if len(operands) == 1 and name != "cumsum" and _adds_two(operands[0], result):
        return
    terms = added.sizes()
    if terms.shape != result.shape or is_exact(operands, lambda: terms, _is_wide(terms)):
        return
    _move_sum(result, terms, generator, parts=_adds_to_operand(name))
    _move_many(name, operands, result, generator, _Over(operands[0], added.given))
    overflow.add(added, terms, result, generator, _terms_of_each(name, operands, result) if name == "mean" else 1)


def _add_to_combination(name, given, result, generator):
    if not _are_floats(result, *results.tensors(list(given.values()))):
        return
    start, value = given["self"].abs(), given.get("value", given.get("scalars", 1))
    value = 1 if isinstance(value, torch.Tensor) else abs(value)
    if name == "lerp":
        end, weight = given.get("end", given.get("tensors1")), given.get("weight", given.get("weights"))
        terms = start + abs(weight) * (start + end.abs())
    elif name == "addcmul":
        terms = start + value * (given["tensor1"] * given["tensor2"]).abs()
    else:
        terms = start + value * (given["tensor1"] / given["tensor2"]).abs()
    if terms.shape == result.shape:
        _move_sum(result, terms, generator, parts=True)


def _move_sum(result, terms, generator, parts=False):
    """`parts`: of the terms may be rounded to the result's type."""
    unit, times = (torch.finfo(result.dtype).eps, _TIMES_OF_PARTS) if parts else (results.unit_of_sum(result), _TIMES)
    cancelled = (result.abs() * times < terms).logical_and_(terms.isfinite())
    if not bool(cancelled.any()):
        return
    _add_where(result, cancelled, generator.steps(result) * terms.to(torch.float64) * unit)
    if generator.happens():
        result.masked_fill_((result.abs() <= terms * (_LEFT * unit)).logical_and_(cancelled), 0)


def _move_many(name, operands, result, generator, over):
    many = _terms_of_each(name, operands, result)
    if name == "cumsum":
        many = operands[0].shape[over.dims[0]] if operands[0].dim() else 1
    if many < _MANY:
        return
    units = torch.full_like(result, max(_LEAST, many**0.5 / _ROOTS), dtype=torch.float64)
    if len(operands) == 1 and many > _LEAST * _LANES:
        alike = _are_alike(operands[0], over)
        if alike.shape == units.shape:
            units = torch.where(alike, max(_LEAST, many / _LANES), units)
    moved = generator.parts(result) * units * results.unit_of_sum(result) * result.abs().to(torch.float64)
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
    first = operands[1 if _adds_to_operand(name) else 0]
    return first.shape[-1] if first.dim() else 1


def _are_alike(operand, over):
    """For each element of a reduction whether its terms are alike."""
    sizes = operand.abs()
    largest, smallest = sizes.amax(over.dims, over.keeps), sizes.amin(over.dims, over.keeps)
    return largest - smallest <= largest * _ALIKE


def _move_variance(name, x, over, first, generator):
    """The mean size of the terms; None where nothing rounds."""
    if _adds_two(x, first):
        return None
    mean = x.to(torch.float64).abs().mean(over.dims, keepdim=over.keeps)
    if mean.shape != first.shape or is_exact([x], lambda: mean, _is_wide(x)):
        return None
    shift = (generator.steps(first) * mean * results.unit_of_sum(first)).square()
    before = first.to(torch.float64)
    is_root = name.startswith("std")
    variance = before.square() if is_root else before
    moved = (variance + shift).sqrt() - before if is_root else shift
    _add_where(first, (variance < (mean * _TIMES * results.unit_of_sum(first)).square()).logical_and_(moved.isfinite()), moved)
    return mean


def _add_where(result, cancelled, moved):
    result.add_(torch.where(cancelled, moved, 0).to(result.dtype))


def _adds_two(operand, result):
    """There is one order of adding two terms, and the mean of equal ones is exact."""
    return operand.numel() <= 2 * result.numel()


def is_exact(operands, terms, wide):
    """Whether no order of adding up the terms rounds. `terms()`: the sums of their sizes. `wide`: they are added up in
    float64."""
    most = 2**52 if wide else 2**23
    for part in (1, _PART):
        of_each = part if len(operands) == 1 else round(part**0.5)
        whole = all(bool((item.to(torch.float64) * of_each).frac().eq(0).all()) for item in operands)
        if whole and bool((terms().to(torch.float64) * part < most).all()):
            return True
    return False
