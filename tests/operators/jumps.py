"""Whether an operator is discontinuous: whether some operand of one or two moves the result by more than rounding when it moves by
rounding (docs/operators.md).

Looked at are numbers and their neighbours in float32. A kink (relu, clamp) moves no result. Zero is where quotients and
logarithms have their pole, or the edge of what they take: that alone is no jump, for it would be one of all divisions; at any
other number it is.
"""

import torch

import operator_samples as samples

POINTS = sorted({0.0, 1.57, *(sign * size for sign in (1, -1) for size in (0.5, 1, 1.5, 2, 2.5, 3, 6, 20))})
# The last ones before infinity: only where the result is a truth.
LAST = [-3.4028234663852886e38, 3.4028234663852886e38]
# How far results of neighbours may be apart: forty roundings. The exponential function at 20 takes sixteen.
RELATIVE = 5e-6
ABSOLUTE = 1e-3
POLE = 1e6
# isnan: only what was computed before shows it, infinite numbers less themselves. erfcx: it grows like the exponential of a
# square, beyond POLE before forty roundings are reached.
UNSHOWN = {"isnan", "erfcx"}
# A negative number has powers by whole numbers alone. The guard can't tell such exponents from others, and nearly all are
# literals: stopping at every power would lose more than it keeps.
BY_EXPONENTS = {"pow", "float_power"}


def neighbours(points):
    infinity = torch.full_like(points, torch.inf)
    return [torch.nextafter(points, -infinity), points, torch.nextafter(points, infinity)]


def apart(one, other, points):
    """Where two results differ by more than rounding."""
    one, other = one.double(), other.double()
    finite = one.isfinite() & other.isfinite()
    size = torch.maximum(one.abs(), other.abs())
    far = finite & ((one - other).abs() > torch.clamp(RELATIVE * size, min=ABSOLUTE)) & (size < POLE)
    # A number beside none.
    edge = (one.isfinite() != other.isfinite()) & (points != 0)
    return far | edge


def jumps(function, count):
    """An operand beside which it jumps, or "" where none does; None where it doesn't take `count` operands of one shape, or
    takes another number than one and two."""
    if count not in (1, 2):
        return None
    asked = False
    for place in range(count):
        for other in [point for point in POINTS if point != 0] if count == 2 else [None]:
            for points in (torch.tensor(POINTS), torch.tensor(LAST)):
                made = [samples.tried(function, operands(one, other, place), {}) for one in neighbours(points)]
                if not all(elementwise(one, points) for one in made):
                    continue
                asked = True
                for one, its in (made[:2], made[1:]):
                    found = apart(one, its, points)
                    if bool(found.any()) and (len(points) > len(LAST) or one.dtype == torch.bool):
                        return f"operand {place} at {points[found][0]}" + (f", the other one being {other}" if count == 2 else "")
    return "" if asked else None


def operands(moved, other, place):
    if other is None:
        return [moved.clone()]
    kept = torch.full_like(moved, other)
    return [moved.clone(), kept] if place == 0 else [kept, moved.clone()]


def elementwise(made, points):
    plain = isinstance(made, torch.Tensor) and made.layout == torch.strided and not made.is_complex()
    return plain and made.shape == points.shape
