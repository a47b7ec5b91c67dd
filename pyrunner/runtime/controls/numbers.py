"""Two free choices that are made number by number: the sign of a NaN that an operator computed, and of a zero that it chose
among zeros of both signs, which compilers don't keep; and the integer that a floating-point number becomes if the type doesn't
hold it (C++ leaves it undefined, and so do all compilers)."""

import torch

from ..compat import eager
from . import exactness, results

# The wider unsigned types have no arithmetic: their bits are chosen as those of signed ones.
_SIGNED = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64}
_INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, *_SIGNED)
# Convert their operand to the type that they are asked for before they compute.
_CONVERT_FIRST = {"cumprod", "cumsum", "nansum", "prod", "sum"}


def has_free_zeros(function, arguments):
    """Whether the signs of zeros in the result depend on how the operator is computed, which its operands say before it
    runs: where it chooses among zeros of both signs, or multiplies by a single zero, which may be left out."""
    if exactness.bare_name(function) == "mul":
        return any(map(_is_single_zero, [*arguments, *results.tensors(arguments)]))
    return exactness.chooses_zeros(function) and any(map(_has_negative_zero, results.tensors(arguments)))


def _is_single_zero(item):
    if isinstance(item, torch.Tensor):
        return _has_signs(item) and item.numel() == 1 and bool(item == 0)
    return isinstance(item, (int, float)) and item == 0


def _has_negative_zero(item):
    return _has_signs(item) and bool((item == 0).logical_and_(item.signbit()).any())


def _has_signs(item):
    return results.has_floats(item) and item.element_size() in results.BITS


def choose_again(function, arguments, keywords, result, free_zeros, negative, drawn):
    """Makes the choices in what the operator made or wrote in another way. `free_zeros`: as has_free_zeros() said before
    it ran. `negative(tensor)`: for each of its elements whether a free sign is negative; `drawn(tensor)`: whether it is
    converted in another way."""
    if exactness.computes_signs(function, arguments, keywords):
        for tensor in results.made_or_written(function, arguments, keywords, result):
            _set_signs(tensor, free_zeros, negative)
    source, target = _converted(function, arguments, result)
    if source is not None:
        _convert_again(source, target, drawn)


def convert_operand(function, arguments, keywords, drawn):
    """The arguments, with the operand of an operator that would convert it to integers converted in another way."""
    dtype = keywords.get("dtype")
    if dtype not in _INTEGERS or exactness.bare_name(function) not in _CONVERT_FIRST or not results.has_floats(arguments[0]):
        return arguments
    converted = arguments[0].to(dtype)
    _convert_again(arguments[0], converted, drawn)
    return (converted, *arguments[1:])


def _set_signs(tensor, free_zeros, negative):
    numbers = results.numbers(tensor)
    if numbers is None:
        return
    free = numbers.isnan()
    if free_zeros:
        free.logical_or_(numbers == 0)
    if bool(free.any()):
        bits = numbers.view(results.BITS[numbers.element_size()])
        limits = torch.iinfo(bits.dtype)
        signed = torch.where(negative(free), bits | limits.min, bits & limits.max)
        bits.copy_(torch.where(free, signed, bits))


def _converted(function, arguments, result):
    """(source, target) of a conversion from floating-point numbers to integers, else (None, None)."""
    name = exactness.bare_name(function)
    if name not in ("_to_copy", "copy"):
        return None, None
    writes = eager.schema_of(function).is_mutable
    source, target = arguments[0 if name == "_to_copy" else 1], arguments[0] if writes else result
    if not (isinstance(source, torch.Tensor) and results.has_floats(source)):
        return None, None
    plain = target.dtype in _INTEGERS and target.layout is torch.strided
    return (source, target) if plain and results.has_memory(target) else (None, None)


def _convert_again(source, target, drawn):
    """The other end of the type's range."""
    limits = torch.iinfo(target.dtype)
    wide = source.to(torch.float64).broadcast_to(target.shape).to(target.device)
    held = (wide.trunc() >= float(limits.min)).logical_and_(wide < float(limits.max) + 1)
    free = held.logical_not_()
    if bool(free.any()):
        is_unsigned = target.dtype in _SIGNED
        bits = target.view(_SIGNED[target.dtype]) if is_unsigned else target
        least, most = (0, -1) if is_unsigned else (limits.min, limits.max)
        other = torch.where(bits == most, least, most).to(bits.dtype)
        bits.copy_(torch.where(free.logical_and_(drawn(free)), other, bits))
