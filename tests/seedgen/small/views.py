"""Families of views, and of the same elements in other places."""

import itertools

import torch

from small.engine import Family
from small.reading import apart, by_tensor, first
from small.tensors import EVERY, REAL, dims, one_tensor, several_dims, shapes, specs, upto, with_dim


def permute_calls(op):
    for x in specs():
        length = len(x[1])
        if op == "transpose":
            yield from ((x, *pair) for pair in itertools.product(dims(length) or (-1, 0), repeat=2))
        else:
            yield from ((x, order) for order in itertools.permutations(dims(length), length))


def squeeze_calls(op):
    return with_dim()(op) if op == "squeeze_dim" else with_dim(ranks=upto(2), beyond=1)(op)


def squeeze(op):
    return torch.squeeze if op == "squeeze_dim" else torch.unsqueeze


def single_dim(op, arguments):
    return arguments if isinstance(arguments[1], int) else None


def slice_calls(op):
    settings = [(at,) for at in range(-3, 4)]
    if op == "narrow":
        settings = list(itertools.product(range(-3, 4), range(4)))
    return with_dim(settings=settings)(op)


def rearrange_calls(op):
    if op == "flip":
        return ((x, chosen) for x in specs() for chosen in several_dims(len(x[1])))
    return one_tensor(settings=[(diagonal,) for diagonal in range(-3, 4)])(op)


def divisible(dtypes=EVERY):
    return ((x, dim) for x, dim in with_dim(dtypes)(None) if x[1][dim] > 1)


# At least two parts, of which each is as long as the first but for the last.
def split_calls(op):
    return ((x, dim, 1 if op == "split" else 2) for x, dim in divisible())


def dim_last(op):
    return lambda x, dim, told: getattr(torch, op)(x, told, dim)


def told_last(op, arguments):
    x, told, dim = arguments
    return x, dim, told


def cuts(size, most=3):
    """Places, ascending."""
    for count in range(1, most + 1):
        yield from itertools.combinations_with_replacement(range(size + 1), count)


def split_at_calls(op):
    for x, dim in divisible():
        for places in cuts(2):
            ends = (*places, 2)
            sizes = tuple(end - start for start, end in zip((0, *places), ends))
            yield x, sizes if op == "split_with_sizes" else places, dim


def split_at(op):
    return torch.split if op == "split_with_sizes" else torch.tensor_split


# One size may be written as -1.
def reshape_calls(op):
    for x in specs(least=1 if op == "reshape" else 0):
        if op == "reshape":
            yield from ((x, shape) for rank in range(3) for shape in itertools.product((-1, 1, 2, 4), repeat=rank))
        else:
            yield (x,)
            yield from ((x, *pair) for pair in itertools.product(dims(len(x[1])), repeat=2))


# Of nothing, reshape is drawn to shapes of a single 0 alone.
def reshape_read(op, arguments):
    return None if op == "reshape" and (len(arguments[1]) > 2 or 0 in arguments[0][1]) else arguments


# Sizes of 1 grow, or elements come again, and one dimension may come in front: it must, where there is none. The last
# size of `expand` may be left as it is, written -1.
def expand_calls(op):
    for x in specs():
        length = len(x[1])
        for rank in {max(length, 1), min(length + 1, 2)}:
            for given in itertools.product((0, 1, 2, 3), repeat=rank) if op == "expand" else ():
                if all(size > 0 or size == old for size, old in zip(reversed(given), (*reversed(x[1]), None))):
                    yield x, given
                    if length:
                        yield x, (*given[:-1], -1)
            if op == "repeat":
                yield from ((x, times) for times in itertools.product((1, 2, 3), repeat=rank))


def expand_read(op, arguments):
    return None if len(arguments[1]) > 2 or max(arguments[1]) > 3 else arguments


def expand(op):
    return lambda x, shape: getattr(x, op)(shape)


def diagonals_calls(op):
    ranks = upto(2, 1) if op == "diag" else upto(2)
    return one_tensor(ranks=ranks, settings=((), *((offset,) for offset in range(-3, 4))))(op)


def copy_calls(op):
    if op == "transpose_copy":
        return ((x, *pair) for x in specs(EVERY, upto(2, 1)) for pair in itertools.product(dims(len(x[1])), repeat=2))
    return with_dim(EVERY, settings=[(at,) for at in range(-3, 4)])(op)


# Parts of one rank.
def join_calls(op):
    for a, b in itertools.product(specs(ranks=upto(1)), repeat=2):
        if len(a[1]) == len(b[1]):
            yield from (((a, b), dim) for dim in dims(len(a[1]), 1 if op == "stack" else 0))


def two_parts(op, arguments):
    return arguments if len(arguments[0]) == 2 else None


def part_pairs(call):
    op, (a, b), *more = call
    yield (op, a[0], b[0])
    yield (op, a[1], b[1], *more)


# Parts of one rank; vectors of one dtype.
def combine_calls(op):
    for a, b in itertools.product(specs(EVERY, upto(1)), repeat=2):
        if op == "hstack" and len(a[1]) == len(b[1]):
            yield ((a, b),)
        if op == "cartesian_prod" and a[0] == b[0] and a[1] in ((1,), (2,)) and b[1] in ((1,), (2,)):
            yield ((a, b),)


def combine(op):
    return torch.hstack if op == "hstack" else lambda parts: torch.cartesian_prod(*parts)


def written_ends(size):
    """Starts and ends of slices as they may be written, from either side and beyond the end."""
    for start, end in itertools.combinations_with_replacement(range(size + 1), 2):
        starts = {start, start - size if start < size else start}
        ends = range(size, size + 4) if end == size else (end, end - size)
        yield from itertools.product(starts, ends)


def part_scatter_calls(op):
    for x, dim in with_dim()(op):
        if op == "select_scatter":
            yield from ((x, (x[0], part), dim, at) for part in shapes(upto(1)) for at in range(-3, 4))
        elif x[0] == "float32" or len(x[1]) == 1:
            yield from ((x, (x[0], part), dim, *ends, step) for part in shapes(len(x[1]))
                        for ends in written_ends(x[1][dim]) for step in (1, 2, 3))


# What comes before and behind the last dimensions, which have elements; larger ones are cut as well.
def pad_calls(op):
    for x in specs(ranks=upto(2, 1), least=1):
        for count in (1, 2):
            yield from ((x, widths) for widths in itertools.product(range(3), repeat=2 * count))


def pad(op):
    mode = {"pad": "constant", "pad_reflect": "reflect", "pad_replicate": "replicate"}[op]
    return lambda x, widths: torch.nn.functional.pad(x, widths, mode)


def mirror_calls(op):
    for x in specs(REAL, upto(3, 2), 1):
        yield from ((x, widths) for widths in itertools.product(range(4), repeat=2))


def one_side(op, arguments):
    return arguments if len(arguments[1]) == 2 else None


FAMILIES = {
    "combine": Family(("hstack", "cartesian_prod"), combine_calls, rank=1, draws=60000, read=two_parts,
                      compared=part_pairs, run=combine),
    "copy": Family(("transpose_copy", "select_copy"), copy_calls, draws=60000),
    "diagonals": Family(("diag", "diagflat"), diagonals_calls, draws=60000),
    "expand": Family(("expand", "repeat"), expand_calls, read=expand_read, run=expand, draws=60000, compared=by_tensor),
    "join": Family(("cat", "stack"), join_calls, rank=1, draws=200000, read=two_parts, compared=part_pairs),
    "pad": Family(("pad",), pad_calls, read=first(2), run=pad, draws=60000, compared=by_tensor),
    "pad_mirror": Family(("pad_reflect", "pad_replicate"), mirror_calls, rank=3, read=one_side, run=pad, draws=60000,
                         compared=apart),
    "part_scatter": Family(("select_scatter", "slice_scatter"), part_scatter_calls, draws=100000, compared=apart),
    "permute": Family(("transpose", "permute"), permute_calls, draws=60000, beside=("relu",)),
    "rearrange": Family(("flip", "tril"), rearrange_calls, draws=60000),
    "reshape": Family(("reshape", "flatten"), reshape_calls, read=reshape_read, draws=100000),
    "slice": Family(("select", "narrow"), slice_calls, draws=100000, beside=("relu",), compared=by_tensor),
    "split": Family(("split", "chunk"), split_calls, read=told_last, run=dim_last),
    "split_at": Family(("split_with_sizes", "tensor_split_at"), split_at_calls, run=split_at, draws=60000,
                       compared=by_tensor),
    "squeeze": Family(("squeeze_dim", "unsqueeze"), squeeze_calls, read=single_dim, run=squeeze, draws=40000,
                      beside=("relu",)),
}
