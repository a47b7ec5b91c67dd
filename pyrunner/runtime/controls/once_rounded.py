"""Operators that are rounded once: what they give without rounding, in float64.

Sums, differences and products are rounded by IEEE's rule, whoever computes them. A quotient counts only if it is exact
with the reciprocal, too: by a power of two. A root counts if its square is the operand, and of powers the square and the
cube, each if all products on the way are exact. On a GPU compilers approximate quotients and roots.

Where an operand is float64, the error of the operation is computed exactly (Knuth's and Dekker's algorithms), and must be
zero.
"""

import torch

from . import exactness, results

# Splits a float64 into two halves of its digits.
_SPLIT = 2.0**27 + 1
# Errors of smaller products may be below the smallest number.
_LEAST = 2.0**-900


def known(name, operands, keywords):
    """The elements of a call of exactness.ONCE_ROUNDED in float64, and NaN where it may round; None where that isn't
    known."""
    given = results.tensors(operands)
    if any(item.is_complex() or not results.has_memory(item) for item in given):
        return None
    again, device = exactness.ONCE_ROUNDED[name], given[0].device
    if again in _CONDITIONS and device.type != "cpu":
        return None
    floats = {item.dtype for item in given if item.is_floating_point()}
    if torch.float64 in floats and len(floats) > 1:
        return None
    costs = again in (torch.sqrt, torch.pow) or torch.float64 in floats and again not in _CONDITIONS
    if costs and any(map(results.has_long_numbers, given)):
        return None
    wide = [item.double() if isinstance(item, torch.Tensor) else item for item in operands]
    if again in _CONDITIONS:
        return _CONDITIONS[again](wide, _type_of(operands))
    if torch.float64 not in floats:
        return again(*wide, **keywords)
    one, other = (torch.as_tensor(item, dtype=torch.float64, device=device) for item in wide[:2])
    return _product(one, other) if again is torch.mul else _sum(again, one, other, [*wide[2:], *keywords.values()])


def _type_of(operands):
    dtype = torch.result_type(*operands[:2]) if len(operands) > 1 else operands[0].dtype
    return dtype if dtype.is_floating_point else torch.get_default_dtype()


def _sum(again, one, other, scale):
    """`scale`: what multiplies the number that is added or taken away, or nothing."""
    if again is torch.rsub:
        one, other = other, one
    for factor in scale:
        other = _product(other, torch.as_tensor(factor, dtype=torch.float64, device=other.device))
    if again is not torch.add:
        other = -other
    total = one + other
    part = total - one
    return _where((one - (total - part)) + (other - part) == 0, total)


def _product(one, other):
    product = one * other
    (high, low), (other_high, other_low) = _halves(one), _halves(other)
    error = ((high * other_high - product) + high * other_low + low * other_high) + low * other_low
    return _where((error == 0).logical_and_(product.abs() >= _LEAST), product)


def _halves(item):
    wide = item * _SPLIT
    high = wide - (wide - item)
    return high, item - high


def _where(exact, result):
    return torch.where(exact, result, torch.nan)


def _quotient(operands, dtype):
    one, other = operands[:2]
    other = torch.as_tensor(other, dtype=torch.float64)
    mantissa, tiny = torch.frexp(other).mantissa, torch.finfo(dtype).tiny
    power = (mantissa.abs() == 0.5).logical_and_(other.abs() >= tiny).logical_and_(other.abs() <= 1 / tiny)
    return _where(power, one / other) if bool(power.any()) else None


def _reciprocal(operands, dtype):
    return _quotient([1.0, *operands], dtype)


def _root(operands, dtype):
    root = operands[0].sqrt()
    return _where(_product(root, root) == operands[0], root)


def _power(operands, dtype):
    base, exponent = operands[:2]
    if not isinstance(base, torch.Tensor) or isinstance(exponent, torch.Tensor) or exponent not in (2, 3):
        return None
    power = base
    for _ in range(int(exponent) - 1):
        power = _product(power, base)
        power = _where(power.to(dtype) == power, power)
    return power


_CONDITIONS = {torch.div: _quotient, torch.reciprocal: _reciprocal, torch.sqrt: _root, torch.pow: _power}
