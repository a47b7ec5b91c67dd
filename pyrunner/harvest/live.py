"""Which arguments of a call may be any values inside an interval, and in which its results then lie.

bounds.py proves it of one interval for all free arguments; those of KINDS are tried, all arguments first and then one alone.
What is proved is tried besides, on elements at the ends, in the middle and between: eager must take them, and results must
have the recorded types, be finite and lie where they shall. Then gradients are tried in the same way.
"""

import random

import torch

from . import bounds
from .intervals import Unbounded

# From the widest to the narrowest; where an operator takes less, the widest that it takes is the first.
KINDS = (((-256.0, 256.0), (-16.0, 16.0), (-1.0, 1.0)), ((1 / 16, 256.0), (1 / 16, 16.0), (1 / 16, 1.0)),
         ((-15 / 16, 15 / 16),), ((1 / 16, 15 / 16),))
DTYPES = (torch.float32, torch.float64)


def _free_sets(arguments, overlap):
    able = [number for number, one in enumerate(arguments)
            if one.dtype in DTYPES and one.numel() > 0 and not overlap[number]]
    return [able] * bool(able) + [[number] for number in able if len(able) > 1]


def _level(program, arguments, free, interval):
    """(level, whether results may jump), or None where nothing is proved."""
    intervals = [interval if number in free else None for number in range(len(arguments))]
    try:
        found = bounds.results_of(program, arguments, intervals)
    except Exception:  # Unbounded, or eager refuses what a mode is around
        return None
    return ({"arguments": [list(one) if one else None for one in intervals],
             "results": [list(interval) for interval, _ in found]}, any(jumps for _, jumps in found))


def levels_of(program, arguments, free, kind):
    """([level, ...], whether results may jump); no levels where nothing is proved of the recorded arguments' own."""
    proved = [_level(program, arguments, free, interval) for interval in kind]
    while proved and proved[0] is None:
        proved.pop(0)
    if not proved or None in proved:
        return [], False
    widest = proved[0][0]
    for number in free:
        if not bounds.inside(bounds.measured(arguments[number]), widest["arguments"][number]):
            return [], False
    return [level for level, _ in proved], any(jumps for _, jumps in proved)


def _fillings(count, low, high):
    """Elements to try: random ones, both ends, alternating ends, the middle."""
    dice = random.Random(count)
    middle = min(max(0.0, low), high)
    yield [dice.uniform(low, high) for _ in range(count)]
    yield [low] * count
    yield [high] * count
    yield [low if number % 2 else high for number in range(count)]
    yield [middle] * count
    yield [dice.choice((low, middle, high)) for _ in range(count)]


def _filled(arguments, level, which):
    made = []
    for one, interval in zip(arguments, level["arguments"]):
        if interval is None:
            made.append(one.detach().clone() if one.is_contiguous() else one.detach())
            continue
        elements = list(_fillings(one.numel(), *interval))[which]
        fresh = torch.tensor(elements, dtype=one.dtype).view(one.shape)
        made.append(torch.empty_strided(one.shape, one.stride(), dtype=one.dtype).copy_(fresh))
    return made


def _leaves(results):
    return list(results) if isinstance(results, (list, tuple)) else [results]


def _types(results):
    return [(one.shape, one.stride(), one.dtype) for one in results]


def holds(program, arguments, results, level):
    """Whether eager takes what is tried, and its results are as the level says."""
    for which in range(6):
        out = _leaves(program(*_filled(arguments, level, which)))
        if _types(out) != _types(results):
            return False
        if not all(bounds.inside(bounds.measured(one), interval) for one, interval in zip(out, level["results"])):
            return False
    return True


def takes_gradients(program, arguments, level):
    """Whether the results require gradients whichever of the free arguments does, and those are finite where tried."""
    free = [number for number, interval in enumerate(level["arguments"]) if interval is not None]
    for which in range(6):
        for number in free:
            given = _filled(arguments, level, which)
            given[number].requires_grad_()
            out = _leaves(program(*given))
            if not all(one.requires_grad for one in out):
                return False
            torch.autograd.backward(out, [torch.ones_like(one) for one in out])
            grad = given[number].grad
            if grad is None or not bool(grad.isfinite().all()) or float(grad.abs().max()) > 1e9:
                return False
    return True


def found_for(program, arguments, results, overlap):
    """{"levels", "exact", "gradients", "free"} of a call; None where nothing is known. Exact: results may jump where a free
    argument is only known up to rounding. `overlap` says which arguments overlap themselves: those are not free."""
    for free in _free_sets(arguments, overlap):
        for kind in KINDS:
            levels, jumps = levels_of(program, arguments, free, kind)
            try:
                if levels and all(holds(program, arguments, results, level) for level in levels):
                    gradients = all(takes_gradients(program, arguments, level) for level in levels)
                    return {"levels": levels, "exact": jumps, "gradients": gradients, "free": free}
            except (RuntimeError, ValueError, TypeError, IndexError, Unbounded):  # eager refuses these elements
                continue
    return None
