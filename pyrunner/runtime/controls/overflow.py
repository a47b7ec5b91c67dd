"""Additional noise of Monte Carlo arithmetic for sums that overflow: whether they do, and to which side, is a matter of order.

An infinity can be met if the terms of its sign alone exceed the largest number, NaN if those of either sign do, and the
sum itself if it is within range. In one run of each pair each such element is one of those that can be met. Half types are
added up in float32, where their sums don't overflow.
"""

import math

import torch

from . import results


def add(added, sizes, result, draws, divisor):
    """`added`: the sum (cancelling.py). `sizes`: the sums of the sizes of the terms, in the result's shape. `divisor`: what
    sums are divided by once they are added up."""
    operands = added.operands
    if result.element_size() == 2 or not bool(sizes.isinf().any()) or not all(map(_is_finite, operands)):
        return
    scale = 1.0
    if result.dtype is torch.float64:
        if len(operands) > 1:
            return
        scale = 2.0**-128
    largest = torch.finfo(result.dtype).max * scale / divisor
    total, all_sizes = added.in_float64(scale), added.sizes_in_float64(scale)
    above, below = (all_sizes + total) / 2 > largest, (all_sizes - total) / 2 > largest
    if bool(above.logical_or(below).any()) and draws.happens():
        _choose(result, total / scale, [(above, math.inf), (below, -math.inf), (above.logical_and(below), math.nan)], draws)


def _choose(result, total, ends, draws):
    within = (total.abs() <= torch.finfo(result.dtype).max).logical_and_(ends[0][0].logical_or(ends[1][0]))
    can = torch.stack([within, *(where for where, _ in ends)])
    values = torch.stack([total, *(torch.full_like(total, end) for _, end in ends)])
    chances = can.to(torch.float64) * (draws.parts(result, can.shape) + 2)
    chosen = values.gather(0, chances.argmax(0, keepdim=True)).squeeze(0)
    result.copy_(torch.where(can.any(0), chosen, result.to(torch.float64)))


def _is_finite(item):
    return not results.has_floats(item) or bool(item.isfinite().all())
