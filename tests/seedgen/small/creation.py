"""Families that make tensors from numbers, or show parts of one by numbers."""

import itertools

import torch

from small.engine import Family
from small.reading import apart
from small.tensors import EVERY, FLOATS, shapes, specs, upto


# Sizes from 1 on: others come with the shapes of live values alone.
def create_calls(op):
    sizes = shapes((1, 2), 1) if op == "zeros" else shapes(2, 1)
    return ((shape, dtype) for shape in sizes for dtype in EVERY)


def create(op):
    if op == "zeros":
        return lambda shape, dtype: torch.zeros(shape, dtype=getattr(torch, dtype))
    return lambda shape, dtype: torch.eye(*shape, dtype=getattr(torch, dtype))


def create_read(op, arguments):
    shape, dtype = (arguments[0], arguments[1]) if op == "zeros" else (arguments[:2], arguments[2])
    return (shape, dtype) if len(shape) < 3 and set(shape) <= {1, 2} else None


def window_calls(op):
    for length, dtype in itertools.product(range(3), FLOATS):
        yield length, dtype
        yield from ((length, periodic, dtype) for periodic in (False, True))


def window(op):
    return lambda length, *more: getattr(torch, op)(length, *more[:-1], dtype=getattr(torch, more[-1]))


def window_read(op, arguments):
    return arguments if arguments[0] < 3 else None


# Inside of what the tensor spans, which has elements; with strides of at most 3.
def strided_calls(op):
    views = [(shape, strides) for rank in range(3) for shape in itertools.product(range(1, 5), repeat=rank)
             for strides in itertools.product(range(4), repeat=rank)]
    return ((x, *view) for x in specs(EVERY, upto(2), 1) for view in views)


def strided_read(op, arguments):
    _, shape, strides = arguments
    small = len(shape) < 3 and max(shape, default=1) < 5 and max(strides, default=0) < 4
    return arguments if small else None


def texts_of_slices(size):
    for start, step in itertools.product(range(size + 1), (1, 2, 3)):
        yield from (f"{start}:{stop}:{step}" for stop in range(start, size + 1))


# What stands in brackets: a number, a slice or a mask of the dimension, a new dimension on either side.
def subscript_calls(op):
    for x in specs(EVERY, upto(1, 1 if op == "getitem_mask" else 0)):
        size = x[1][0] if x[1] else 0
        numbers = [*map(str, range(-size, size)), *texts_of_slices(size)]
        if op == "getitem_mask":
            numbers = [f"torch.tensor({list(mask)}, dtype=torch.bool)"
                       for mask in itertools.product((False, True), repeat=size)]
        items = [[number] for number in numbers] if x[1] else []
        for chosen in items if op == "getitem_mask" else [*items, ["..."]]:
            # A scalar gets one new dimension at most.
            for before, after in ((0, 0), (0, 1), (1, 0), (1, 1))[: 4 if x[1] else 3]:
                yield x, ", ".join(["None"] * before + chosen + ["None"] * after)


def bracketed(x, text):
    return eval(f"x[{text}]", {"torch": torch, "x": x})


# Without live tensors as indices.
def subscript_read(op, arguments):
    return arguments if len(arguments) == 2 else None


# What comes out, of results with at most two dimensions.
def subscript_views(call):
    op, (dtype, shape), text = call
    numbers = bracketed(torch.arange(torch.Size(shape).numel()).view(shape), text)
    yield ("dtype", op, dtype)
    if numbers.dim() < 3:
        yield ("elements", op, shape, tuple(numbers.shape), tuple(numbers.flatten().tolist()))


FAMILIES = {
    "create": Family(("zeros", "eye"), create_calls, read=create_read, run=create),
    "strided": Family(("as_strided",), strided_calls, draws=100000, read=strided_read, compared=apart),
    "subscript": Family(("getitem", "getitem_mask"), subscript_calls, rank=1, read=subscript_read, run=lambda op:
                        bracketed, compared=subscript_views),
    "windows": Family(("hann_window", "bartlett_window"), window_calls, read=window_read, run=window),
}
