"""Small tensors, as the calls are listed with: a dtype and a shape, like ("float32", (2, 1)), and lists of them."""

import functools
import itertools

import torch

INTEGERS = ("uint8", "int8", "int32", "int64")
HALVES = ("float16", "bfloat16")
WIDE = ("float32", "float64")
FLOATS = HALVES + WIDE
COMPLEX = ("complex64", "complex128")
NUMBERS = INTEGERS + FLOATS
REAL = ("bool", *NUMBERS)
EVERY = REAL + COMPLEX


def shapes(ranks, least=0):
    """Of all sizes from `least` to 2, of a rank or of several."""
    ranks = [ranks] if isinstance(ranks, int) else ranks
    return [shape for rank in ranks for shape in itertools.product(range(least, 3), repeat=rank)]


def upto(rank, least=0):
    return range(least, rank + 1)


def specs(dtypes=EVERY, ranks=upto(2), least=0):
    return list(itertools.product(dtypes, shapes(ranks, least)))


def is_spec(value):
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and value[0] in EVERY


@functools.cache
def make(spec):
    return torch.ones(spec[1], dtype=getattr(torch, spec[0]))


def made(value):
    """Tensors for specs, lists of them for tuples of them, anything else as it is."""
    if is_spec(value):
        return make(value)
    if isinstance(value, tuple) and value and all(map(is_spec, value)):
        return [make(spec) for spec in value]
    return value


def dims(rank, beyond=0):
    """From the front and from the back; `beyond` 1: places between dimensions."""
    rank += beyond
    return range(-rank, rank) if rank else ()


def several_dims(rank, least=1, most=2):
    """Different dimensions in any order, each from the front or from the back."""
    for count in range(least, min(rank, most) + 1):
        for chosen in itertools.permutations(dims(rank), count):
            if len({dim % rank for dim in chosen}) == count:
                yield chosen


def fit(a, b):
    """The shape of both, broadcast; None where they don't go together."""
    try:
        return tuple(torch.broadcast_shapes(a, b))
    except RuntimeError:
        return None


# Ways to list calls: each gives a function of the operator.


def one_tensor(dtypes=EVERY, ranks=upto(2), least=0, settings=((),)):
    """A tensor, and what stands behind it."""
    return lambda op: ((x, *more) for x in specs(dtypes, ranks, least) for more in settings)


def two_tensors(dtypes=EVERY, ranks=upto(1), least=0):
    return lambda op: itertools.product(specs(dtypes, ranks, least), repeat=2)


def alike(count, dtypes=EVERY, ranks=upto(1), least=0, settings=((),)):
    """So many tensors of one dtype."""
    return lambda op: ((*((dtype, shape) for shape in chosen), *more) for dtype in dtypes
                       for chosen in itertools.product(shapes(ranks, least), repeat=count) for more in settings)


def with_dim(dtypes=EVERY, ranks=upto(2, 1), least=0, settings=((),), beyond=0):
    """A tensor, one of its dimensions, and what stands behind them."""
    return lambda op: ((x, dim, *more) for x in specs(dtypes, ranks, least) for dim in dims(len(x[1]), beyond)
                       for more in settings)
