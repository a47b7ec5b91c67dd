"""Additional noise of Monte Carlo arithmetic for operators that add up inside: their results are as exact as their terms.

An element of linspace is an end and some steps, one of an interpolation a weighted sum of neighbours. A compiler writes
the sum differently, adds in another order, or fuses a product. That changes the element by units of the terms. Where these
cancel it is far more than a unit of the result, and in some runs the result is exactly zero.
"""

import functools

import torch
import torch.nn.functional as F

from ..compat import eager
from . import cancelling, exactness, results

# Such sums are moved by so many units of their terms: two to four are rounded. Chosen, not measured.
_UNITS = 4.0
# A cubic one adds sixteen terms, with weights of both signs that are polynomials themselves: eager was up to ten units off.
_TIMES_OF_CUBIC = 3.0
# Neighbours that an interpolation reads lie within such a window.
_WINDOW = 5
# Products of whole numbers below it are exact, in whatever order.
_WHOLE = 2**23
_TERMS = {}


def as_sum(function, arguments):
    """The call, or that of the sum that it is another name of."""
    named = exactness.bare_name(function) == "trace" and eager.overload_name(function) == "default"
    if named and len(arguments) == 1 and arguments[0].dim() == 2:
        return torch.ops.aten.sum.default, (arguments[0].diagonal(),)
    return function, arguments


def add(function, arguments, keywords, result, draws):
    """Moves the elements of what the operator made or wrote by units of its terms."""
    name = exactness.bare_name(function)
    if name == "_euclidean_dist" and results.has_floats(result):
        _move_distances(*arguments, result, draws)
    terms_of = _TERMS.get(name)
    if terms_of is None or not results.has_floats(result):
        return
    again = functools.partial(_again, function, arguments, keywords)
    terms = terms_of(again, results.named(function, arguments, keywords), result)
    if terms is not None and terms.shape == result.shape:
        _move(result, terms.to(torch.float64), draws)


def _move(result, terms, draws):
    reach = terms * (_UNITS * results.unit_of_sum(result))
    moved = result.to(torch.float64) + draws.parts(result) * reach
    if draws.happens():
        moved.masked_fill_((moved.abs() <= reach).logical_and_(moved.isfinite()), 0)
    result.copy_(torch.where(moved.isfinite(), moved, result))


def _move_distances(one, other, result, draws):
    """Distances by way of products of matrices: squares of lengths cancel."""
    lengths = [item.to(torch.float64).square().sum(-1) for item in (one, other)]
    squares = lengths[0].unsqueeze(-1) + lengths[1].unsqueeze(-2)
    if squares.shape != result.shape or _are_whole([one, other], squares):
        return
    moved = result.to(torch.float64).square_() + draws.parts(result) * squares * (_UNITS * results.unit_of_sum(result))
    moved = moved.clamp_min_(0).sqrt_()
    result.copy_(torch.where(moved.isfinite(), moved, result))


def _again(function, arguments, keywords, first):
    """The operator with another first operand, in float64."""
    return function(first, *_double(arguments[1:]), **_double(keywords))


def _double(value):
    if isinstance(value, dict):
        return {name: torch.empty(0, dtype=torch.float64, device=item.device) if name == "out" else _double(item)
                for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_double(item) for item in value]
    return value.to(torch.float64) if isinstance(value, torch.Tensor) and value.is_floating_point() else value


def _of(*names):
    """The function gives the sizes of the terms of each element; None where no order of adding rounds."""

    def register(function):
        _TERMS.update(dict.fromkeys(names, function))
        return function

    return register


@_of("linspace")
def _of_linspace(again, given, result):
    start, end, count = float(given["start"]), float(given["end"]), result.numel()
    if count < 3:
        return None
    terms = _of_steps(start, (end - start) / (count - 1), result)
    if terms is not None:
        terms[0] = terms[-1] = 0  # the ends are given
    return terms


@_of("logspace")
def _of_logspace(again, given, result):
    start, end, base = float(given["start"]), float(given["end"]), float(given.get("base", 10.0))
    if base <= 0:
        return None
    terms = _of_steps(start, (end - start) / max(result.numel() - 1, 1), result)
    return None if terms is None else terms * abs(torch.tensor(base).log().item()) * result.abs()


@_of("arange")
def _of_arange(again, given, result):
    start, step = float(given.get("start", 0)), float(given.get("step", 1))
    terms = _of_steps(start, step, result)
    if terms is not None:
        terms[0] = 0
    return terms


def _of_steps(start, step, result):
    """Half of the larger end for each: two numbers are rounded, and both are at most that large."""
    largest = torch.tensor(max(abs(start), abs(start + step * result.numel())), dtype=torch.float64)
    ends = torch.tensor([start, step], dtype=torch.float64)
    return None if _are_whole([ends], largest, result.dtype) else torch.full_like(result, float(largest) / 2, dtype=torch.float64)


@_of("linalg_cross")
def _of_cross(again, given, result):
    one, other, dim = given["self"], given["other"], given.get("dim", -1)
    one, other = torch.broadcast_tensors(one.to(torch.float64).abs(), other.to(torch.float64).abs())
    terms = one.roll(-1, dim) * other.roll(-2, dim) + one.roll(-2, dim) * other.roll(-1, dim)
    return None if _are_whole([given["self"], given["other"]], terms) else terms


@_of("logsumexp")
def _of_logsumexp(again, given, result):
    """The largest and the logarithm of a sum."""
    if not results.has_floats(given["self"]):
        return None
    largest = given["self"].amax(given["dim"], given.get("keepdim", False)).to(torch.float64)
    return largest.abs() + (result - largest).abs()


@_of("addr")
def _of_addr(again, given, result):
    beta, alpha = abs(given.get("beta", 1)), abs(given.get("alpha", 1))
    operands = [given[name].to(torch.float64).abs() for name in ("self", "vec1", "vec2")]
    terms = beta * operands[0] + alpha * operands[1].unsqueeze(-1) * operands[2]
    return None if _are_whole([given[name] for name in ("self", "vec1", "vec2")], terms) else terms


@_of("prod", "cumprod")
def _of_product(again, given, result):
    """A product is no sum, but its factors are many: other orders differ as those of a sum do."""
    factors = given["self"]
    dim = given.get("dim")
    if not results.has_floats(factors) or bool(factors.frac().eq(0).all()) and bool((result.abs() < _WHOLE).all()):
        return None
    many = factors.numel() if dim is None else factors.shape[dim] if factors.dim() else 1
    return result.abs().to(torch.float64) * (many**0.5 / _UNITS) if many > 2 else None


@_of("upsample_linear1d", "upsample_bilinear2d", "upsample_trilinear3d", "grid_sampler_2d", "grid_sampler_3d")
def _of_interpolation(again, given, result):
    """Weights are differences of places, which are rounded in units of the size."""
    image = given.get("self", given.get("input"))
    if given.get("interpolation_mode") == 1 or not results.has_floats(image):  # the nearest
        return None
    image = image.to(torch.float64)
    largest, smallest = _around(image), -_around(-image)
    places = (largest - smallest) * (max(image.shape[2:]) / _UNITS)
    terms = again(torch.maximum(largest, -smallest) + places).abs()
    if given.get("interpolation_mode") == 2:
        terms = terms * _TIMES_OF_CUBIC
    return torch.where(again(image.abs()) == 0, 0, terms)


@_of("upsample_bicubic2d", "_upsample_bicubic2d_aa")
def _of_cubic(again, given, result):
    return _of_interpolation(again, {**given, "interpolation_mode": 2}, result)


_TERMS["_upsample_bilinear2d_aa"] = _of_interpolation


def _around(image):
    pool = [F.max_pool1d, F.max_pool2d, F.max_pool3d][image.dim() - 3]
    return pool(image, _WINDOW, 1, _WINDOW // 2)


def _are_whole(operands, terms, dtype=None):
    wide = (dtype or operands[0].dtype) is torch.float64
    return cancelling.is_exact(operands, lambda: terms, wide)
