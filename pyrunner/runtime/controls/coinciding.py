"""Additional noise of Monte Carlo arithmetic for numbers that come out equal by other roundings.

Two formulas for the same number are some units apart in eager, and a compiler may compute both alike. Noise makes them equal
in few elements of few runs. Therefore `==`, `!=` and torch.equal call numbers equal that are a few units apart, and a
difference of such numbers is zero: in one run of each pair, for all elements of a call. It is never done the other way
round, so that `x != x` and `y == y.amax()` stay as they are. Only where one of the sides comes from a result that was
moved: what no operator rounded is compared exactly by every compiler.

Such results are known by their storage, so that views of them, and tensors that autograd makes of them, count as well.
"""

import math

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from ..compat import eager
from . import exactness, results

# Numbers that differ by at most so many units of the larger one are taken for equal: of half types fewer, since each is so
# large a part of the number. Chosen, not measured.
_UNITS = 16
_UNITS_OF_HALF = 8
# If both sides were moved, also so many units of the mean size of the side's numbers, where these are such a part of the
# larger number: a small element of a product of matrices is rounded as its large terms are. Chosen, not measured.
_PART = 1 / 4
# Larger tensors are not looked at: each comparison needs some copies in float64. Chosen, not measured.
_MOST = 1 << 22
# Storages that are gone are forgotten when so many were noted. Chosen, not measured.
_FORGET = 4096


class Coinciding:
    """Which tensors were moved, and what that means for comparisons. `draws`: what the run draws."""

    def __init__(self, draws):
        self._draws = draws
        self._storages = {}
        self._forget_at = _FORGET

    def note(self, tensor):
        """That elements of the tensor were moved."""
        key = _key(tensor)
        if key is not None and (key not in self._storages or self._storages[key].expired()):
            self._storages[key] = StorageWeakRef(tensor.untyped_storage())
        if len(self._storages) > self._forget_at:
            self._storages = {key: weak for key, weak in self._storages.items() if not weak.expired()}
            self._forget_at = len(self._storages) + _FORGET

    def _was_moved(self, tensor):
        weak = self._storages.get(_key(tensor)) if exactness.has_fractions(tensor.dtype) else None
        return weak is not None and not weak.expired()

    def follow(self, arguments, keywords, result):
        """Results of an operator that does not round count as moved where its operands do."""
        if self._storages and any(map(self._was_moved, results.tensors((*arguments, *keywords.values())))):
            self._note_fractions(results.tensors(result))

    def answer(self, function, arguments, keywords, result, made):
        """The result of an operator that rounds, with what coincides. `made`: the tensors that it made or wrote."""
        if not self._storages or not any(map(self._was_moved, results.tensors(arguments))):
            return result
        if exactness.is_equality(function):
            return self._compared(function, arguments, result)
        if exactness.is_difference(function):
            self._cancel(arguments, keywords, result)
        self._note_fractions(made)
        return result

    def _note_fractions(self, tensors):
        for tensor in tensors:
            if exactness.has_fractions(tensor.dtype):
                self.note(tensor)

    def _compared(self, function, arguments, result):
        if isinstance(result, bool):
            return result or self._are_equal(*arguments[:2])
        if not isinstance(result, torch.Tensor) or result.dtype is not torch.bool:
            return result
        close = self._close(*arguments[:2])
        if close is not None and bool(close.any()) and self._draws.happens():
            result.masked_fill_(close, exactness.bare_name(function) == "eq")
        return result

    def _are_equal(self, one, other):
        if one.shape != other.shape or one.dtype is not other.dtype:
            return False
        close = self._close(one, other)
        return close is not None and bool(close.logical_or_(one == other).all()) and self._draws.happens()

    def _cancel(self, arguments, keywords, result):
        """Sets differences to zero whose terms are equal but for a few units. The second term says what a unit is, since
        the first may have been written over."""
        term = arguments[1] if len(arguments) > 1 else None
        if _are_too_large(arguments[:2]):
            return
        if not isinstance(result, torch.Tensor) or not results.has_floats(result) or not _is_real(term):
            return
        if _smallest(result) > _unit(result) * _largest(term) * abs(keywords.get("alpha", 1)):
            return
        both = all(map(self._was_moved, results.tensors(arguments[:2])))
        allowed = _allowed(_wide(term).abs() * abs(keywords.get("alpha", 1)), _unit(result), both)
        close = (result.abs() <= allowed).logical_and_(result != 0)
        if close.shape == result.shape and bool(close.any()) and self._draws.happens():
            result.masked_fill_(close, 0)

    def _close(self, one, other):
        """Where two sides differ by a few units; None if they are not real numbers with fractions."""
        sides = [item for item in (one, other) if isinstance(item, torch.Tensor)]
        if _are_too_large(sides) or any(item.element_size() == 1 for item in sides):
            return None
        if not sides or not all(map(_is_real, (one, other))) or not any(map(results.has_floats, sides)):
            return None
        unit = max(_unit(item) for item in sides if item.is_floating_point())
        first, second = _wide(one), _wide(other)
        both = len(sides) == 2 and all(map(self._was_moved, sides))
        sizes = torch.maximum(first.abs(), second.abs())
        allowed = _allowed(sizes, unit, both)
        if both and sizes.numel() > 0:  # an element of a product of matrices may cancel in full
            allowed = torch.maximum(allowed, (sizes.mean() * torch.finfo(one.dtype).eps).nan_to_num(0, 0, 0))
        apart = (first - second).abs()
        return (apart <= allowed).logical_and_(apart > 0)


def _are_too_large(sides):
    return any(isinstance(item, torch.Tensor) and item.numel() > _MOST for item in sides)


def _key(tensor):
    if tensor.layout is not torch.strided or not results.has_memory(tensor):
        return None
    return eager.storage_key(tensor.untyped_storage())


def _is_real(item):
    if isinstance(item, torch.Tensor):
        return item.layout is torch.strided and not item.is_complex() and results.has_memory(item)
    return isinstance(item, (int, float))


def _smallest(tensor):
    return float(torch.linalg.vector_norm(tensor, -math.inf))


def _largest(item):
    if not isinstance(item, torch.Tensor):
        return abs(item)
    if not item.is_floating_point() or item.numel() == 0:
        return math.inf
    return float(torch.linalg.vector_norm(item, math.inf))


def _wide(item):
    return item.to(torch.float64) if isinstance(item, torch.Tensor) else torch.tensor(float(item), dtype=torch.float64)


def _unit(tensor):
    return torch.finfo(tensor.dtype).eps * (_UNITS_OF_HALF if tensor.element_size() == 2 else _UNITS)


def _allowed(sizes, unit, both):
    """What numbers of these sizes may differ by."""
    allowed = sizes * unit
    if not both or sizes.numel() == 0:
        return allowed
    return torch.maximum(allowed, torch.minimum((sizes.mean() * unit).nan_to_num(0, 0, 0), sizes * _PART))
