"""Families of reductions, scans and orders."""

import itertools

import torch

from small.engine import Family
from small.reading import apart, by_tensor, first, named
from small.tensors import (COMPLEX, FLOATS, INTEGERS, NUMBERS, REAL, WIDE, alike, dims, fit, several_dims, shapes,
                           specs, upto, with_dim)


def some_dims(rank):
    return [*dims(rank), *several_dims(rank, 2)]


def reduce_calls(op):
    for x in specs():
        yield x, None, False
        yield from ((x, dim, keep) for dim in some_dims(len(x[1])) for keep in (False, True))


def over(op):
    def run(x, dim, keep):
        return getattr(torch, op)(x) if dim is None else getattr(torch, op)(x, dim=dim, keepdim=keep)

    return run


# Without a dtype of the result's own. A scalar has a dimension to name, but none to reduce.
def reduce_read(op, arguments):
    text = arguments[1] if len(arguments) > 1 else ""
    if "dim=None" in text:
        return None
    found = named(text, dim=None, keepdim=False)
    return found and (arguments[0], *found)


# Of at least two elements, with the usual correction.
def moments_calls(op):
    for x in specs(FLOATS + COMPLEX, upto(2, 1), 2):
        yield x, None, False
        yield from ((x, dim, keep) for dim in some_dims(len(x[1])) for keep in (False, True))


def extremes_calls(op):
    for x in specs(REAL, upto(2, 1), 1):
        yield from ((x, dim, keep) for dim in dims(len(x[1])) for keep in (False, True))


# Of an operator that gives places, only those that are asked for along a dimension.
def extremes_read(op, arguments):
    if len(arguments) < (4 if op == "argmax" else 3):
        return None
    return (arguments[0], *named(arguments[-1], dim=None, keepdim=False))


def extremes(op):
    # Places are asked for of the elements as float64 or int64.
    return lambda x, dim, keep: over("max")(x, dim, keep) if op == "max_values" else over(op)(x.double(), dim, keep)


def sort_calls(op):
    if op == "argsort":
        return with_dim(REAL, settings=((False,), (True,)))(op)
    settings = [(k, largest) for k in range(4) for largest in (False, True)]
    return with_dim(NUMBERS, least=1, settings=settings)(op)


def sort(op):
    return torch.argsort if op == "argsort" else lambda x, dim, k, largest: torch.topk(x, k, dim, largest)


# Values alone, or positions alone: both are asked for of elements that are made different.
def sort_read(op, arguments):
    return None if len(arguments) > 4 else arguments


def difference_calls(op):
    if op == "diff":
        for x, dim in with_dim(least=1)(op):
            for n in range(4):
                yield x, n, dim
                for other in shapes(upto(2), 1):
                    yield x, n, dim, (x[0], other)
    else:
        yield from with_dim(NUMBERS + COMPLEX, least=1)(op)


def difference_read(op, arguments):
    return arguments if op == "diff" else (arguments[0], arguments[2])


def difference(op):
    return torch.diff if op == "diff" else lambda x, dim: torch.trapezoid(x, dim=dim)


# Of `dist`, one of the two has the shape of both.
def norms_calls(op):
    for a, b in alike(2, WIDE if op == "cdist" else FLOATS + COMPLEX, upto(2), 1)(op):
        if op == "cdist" or fit(a[1], b[1]) in (a[1], b[1]):
            yield a, b


def search_calls(op):
    for dtype in NUMBERS:
        for a, b in itertools.product(shapes(upto(2)), repeat=2):
            yield from (((dtype, a), (dtype, b), flag) for flag in (False, True))


def search(op):
    if op == "isin":
        return lambda x, tests, invert: torch.isin(x, tests, invert=invert)
    return lambda sequence, values, right: torch.searchsorted(sequence, values, right=right)


def search_read(op, arguments):
    return arguments[:3] if isinstance(arguments[1], tuple) and isinstance(arguments[2], bool) else None


def count_calls(op):
    if op == "histc":
        yield from ((x, dtype) for x in specs(INTEGERS) for dtype in WIDE)
        return
    for x in specs(INTEGERS, 1):
        yield (x,)
        yield from ((x, weights) for weights in specs(INTEGERS + WIDE, 1) if x[1] != (0,))


def count(op):
    if op == "histc":
        return lambda x, dtype: torch.histc(x.to(getattr(torch, dtype)), 4, 0, 4)
    return lambda x, *weights: torch.bincount(x, *weights)


def count_read(op, arguments):
    return (arguments[0], arguments[3]) if op == "histc" else (arguments[0], *arguments[2:])


FAMILIES = {
    "count": Family(("bincount", "histc"), count_calls, read=count_read, run=count),
    "difference": Family(("diff", "trapezoid"), difference_calls, read=difference_read, run=difference, draws=60000,
                         compared=by_tensor),
    "extremes": Family(("argmax", "max_values"), extremes_calls, read=extremes_read, run=extremes, draws=60000),
    "moments": Family(("var", "std"), moments_calls, read=reduce_read, run=over, draws=60000),
    "norms": Family(("dist", "cdist"), norms_calls, draws=60000, read=first(2)),
    "reduce": Family(("amax", "sum"), reduce_calls, read=reduce_read, run=over, draws=100000, compared=by_tensor),
    "scan": Family(("cumsum", "cumprod"), with_dim(), read=first(2), draws=60000),
    "search": Family(("isin", "searchsorted"), search_calls, read=search_read, run=search, draws=60000,
                     compared=apart),
    "sort": Family(("argsort", "topk"), sort_calls, read=sort_read, run=sort, draws=60000, compared=by_tensor),
}
