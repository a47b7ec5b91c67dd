"""Families of indices, and of what is written at them."""

import itertools

import torch

from small.engine import Family
from small.reading import apart, first, plain
from small.tensors import EVERY, REAL, shapes, upto, with_dim

INDEX = ("int32", "int64")


# All indices are 0, and every dimension has elements: so which are valid depends on types alone.
def zeros(index):
    return index * 0


def index_calls(op):
    for x, dim in with_dim(EVERY, least=1)(op):
        for dtype in INDEX:
            if op == "index_select":
                yield from ((x, dim, (dtype, shape)) for shape in shapes(1))
            else:
                # An index has the source's rank.
                yield from ((x, dim, (dtype, shape)) for shape in shapes(len(x[1]), 1))


def index(op):
    return lambda x, dim, at: getattr(torch, op)(x, dim, zeros(at))


def index_write_calls(op):
    for x, dim in with_dim(EVERY, least=1)(op):
        for at in (("int64", (1,)), ("int64", (2,)), ("int32", (1,)), ("int32", (2,))):
            if op == "index_fill":
                yield x, dim, at
            else:
                yield from ((x, dim, at, (x[0], source)) for source in shapes(upto(2), 1))


def index_write(op):
    if op == "index_add":
        return lambda x, dim, at, source: torch.index_add(x, dim, zeros(at), source)
    return lambda x, dim, at: torch.index_fill(x, dim, zeros(at), 1)


def index_write_read(op, arguments):
    return plain(op, arguments[:4 if op == "index_add" else 3])


def scatter_calls(op):
    for x, dim in with_dim(EVERY if op == "scatter_add" else REAL, least=1)(op):
        for dtype in INDEX:
            # A source is as large as the index, or larger in one dimension.
            for at, source in itertools.product(shapes(len(x[1]), 1), repeat=2):
                if sum(map(int.__ne__, at, source)) <= 1:
                    yield x, dim, (dtype, at), (x[0], source)


def scatter(op):
    if op == "scatter_add":
        return lambda x, dim, at, source: torch.scatter_add(x, dim, zeros(at), source)
    return lambda x, dim, at, source: torch.scatter_reduce(x, dim, zeros(at), source, "amax")


FAMILIES = {
    "index": Family(("index_select", "gather"), index_calls, run=index, draws=60000, compared=apart),
    "index_write": Family(("index_add", "index_fill"), index_write_calls, read=index_write_read, run=index_write,
                          draws=100000, compared=apart),
    "scatter": Family(("scatter_add", "scatter_reduce"), scatter_calls, read=first(4), run=scatter, draws=60000,
                      compared=apart),
}
