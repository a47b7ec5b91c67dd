"""Families of windows: of the least rank that they take, and of sizes from 1 on."""

import itertools

import torch
from torch.nn import functional

from small.engine import Family
from small.reading import apart, of_length, plain
from small.tensors import COMPLEX, EVERY, FLOATS, shapes, specs


def single(value):
    """A number for a tuple of one, which means the same."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


# Channels and groups by the usual windows, and windows by a single channel, in float32: eager dies of some in float16
# that read nothing but padding.
def convolved(dims, windows, usual):
    inputs, weights = shapes((dims + 1, dims + 2), 1), shapes(dims + 2, 1)
    for dtype, x, weight, groups in itertools.product((*FLOATS, *COMPLEX, "int64"), inputs, weights, (1, 2)):
        # Dtypes don't depend on shapes.
        if dtype == "float32" or len(x) == dims + 1:
            yield from (((dtype, x), (dtype, weight), bias, *usual[:3], groups, *usual[3:])
                        for bias in (None, (dtype, (1,)), (dtype, (2,))))
    for more, size, width in itertools.product(windows, (1, 2), (1, 2)):
        yield ("float32", (1, size)), ("float32", (1, 1, width)), None, *more[:3], 1, *more[3:]


def convolution_calls(op):
    if op.startswith("conv_transpose"):
        windows = itertools.product((1, 2, 3), (0, 1, 2), (0, 1, 2), (1, 2, 3))
        return convolved(int(op[-2]), windows if op == "conv_transpose1d" else (), (1, 0, 0, 1))
    windows = itertools.product((1, 2, 3), (0, 1, 2, "same", "valid"), (1, 2, 3))
    return convolved(int(op[-2]), windows if op == "conv1d" else (), (1, 2, 1))


# Windows of one dimension alone.
def convolution_views(call):
    op, x, weight, bias, *settings = call
    groups = settings.pop(3)
    yield ("dtype", op, x[0], weight[0], bias and bias[0])
    yield ("channels", op, x[1], weight[1], bias and bias[1], groups)
    if op.endswith("1d"):
        yield ("windows", op, x[1][-1], weight[1][-1], *settings)


# Calls in which every setting is given.
def convolution_read(op, arguments):
    if len(arguments) != (8 if op.startswith("conv_transpose") else 7):
        return None
    return tuple(map(single, plain(op, arguments)))


def dilations(size, kernel, padding):
    for dilation in range(1, 4):
        if kernel == 1 or (dilation <= size and dilation * (kernel - 1) < size + 2 * padding):
            yield from ((dilation, ceil) for ceil in (False, True))


# A window is at most one larger than the input, not larger than the padded input, and its elements are no further apart
# than the input is long.
def pooling_calls(op):
    for kernel, stride, padding in itertools.product((1, 2, 3), (1, 2, 3), (0, 1)):
        for x in specs((*FLOATS, "int64") if op == "avg_pool1d" else FLOATS, (2, 3), 1):
            if kernel > x[1][-1] + 1 or kernel > x[1][-1] + 2 * padding:
                continue
            if op == "avg_pool1d":
                yield from ((x, kernel, stride, padding, *more) for more in itertools.product((False, True), repeat=2))
            else:
                yield from ((x, kernel, stride, padding, *more) for more in dilations(x[1][-1], kernel, padding))


def pooling_read(op, arguments):
    several = len(arguments) == 6 and (op == "avg_pool1d" or not isinstance(arguments[4], bool))
    return tuple(map(single, arguments)) if several else None


def adaptive_calls(op):
    return ((x, size) for x in specs(FLOATS, (2, 3), 1) for size in range(1, 8))


def adaptive_read(op, arguments):
    return arguments[0], single(arguments[1])


# A window of lp_pool1d lies inside the input.
def powers_calls(op):
    for x, kernel, stride in itertools.product(specs(FLOATS, (2, 3), 1), (1, 2, 3), (1, 2, 3)):
        if op == "lp_pool1d" and kernel <= x[1][-1]:
            yield from ((x, kernel, stride, ceil) for ceil in (False, True))
        if op == "max_unpool1d" and stride < 3:
            yield x, kernel, stride


def powers(op):
    if op == "lp_pool1d":
        return lambda x, kernel, stride, ceil: functional.lp_pool1d(x, 2, kernel, stride, ceil)

    def run(x, kernel, stride):
        return functional.max_unpool1d(x, torch.arange(x.shape[-1]).expand_as(x), kernel, stride=stride)

    return run


def powers_read(op, arguments):
    if op == "lp_pool1d":
        return None if len(arguments) != 5 else (arguments[0], *map(single, arguments[2:]))
    return arguments[0], *map(single, arguments[4:6])


def pair(value):
    return value if isinstance(value, tuple) else (value, value)


# Small windows of one dimension, and 1 elsewhere.
def fold_calls(op):
    for kernel, dilation, padding, stride in itertools.product((1, 2), (1, 2), (0, 1), (1, 2)):
        settings = ((1, kernel), (1, dilation), (0, padding), (1, stride))
        if op == "unfold_windows":
            yield from ((x, *settings) for x in specs((*FLOATS, *COMPLEX, "bool"), 3, 1))
        else:
            yield from ((x, (1, plane), *settings) for x in specs(FLOATS, (2, 3), 1) for plane in (1, 2))


def fold(op):
    return functional.unfold if op == "unfold_windows" else functional.fold


# Calls in which every setting is given.
def fold_read(op, arguments):
    if len(arguments) != (6 if op == "fold" else 5):
        return None
    x, *settings = arguments[:1] + tuple(map(pair, arguments[1:]))
    *plane, kernel, dilation, padding, stride = settings
    small = plane in ([], [(1, 1)], [(1, 2)]) and (padding[0], padding[1] < 2) == (0, True)
    small = small and all(one == 1 and other < 3 for one, other in (kernel, dilation, stride))
    return (x, *settings) if small else None


# Of `fold` the batch by itself.
def fold_views(call):
    op, x, *settings = call
    if op == "unfold_windows":
        yield from apart(call)
    else:
        yield (op, x[0])
        yield (op, x[1][:-2])
        plane, kernel, dilation, padding, stride = settings
        yield (op, x[1][-2:], kernel)
        yield (op, x[1][-1], plane, padding)
        yield (op, kernel, dilation, stride)


def interpolate_calls(op):
    for x in specs((*FLOATS, "uint8") if op == "interpolate_nearest" else FLOATS, 3, 1):
        yield from ((x, size) for size in range(1, 2 * x[1][-1] + 3))


def interpolate(op):
    mode = {"interpolate_nearest": "nearest", "interpolate_linear": "linear"}[op]
    return lambda x, size: functional.interpolate(x, size, mode=mode)


# By size.
def interpolate_read(op, arguments):
    size = single(arguments[1])
    return (arguments[0], size) if isinstance(size, int) else None


# At least two groups: of one, eager may give the input itself.
def pixel_calls(op):
    least = 2 if op == "channel_shuffle" else 1
    return ((x, factor) for x in specs(EVERY, 3, 1) for factor in range(least, 5))


# Places in half precision are too coarse. The operand of affine_grid has a size of 3.
def grid_calls(op):
    modes = itertools.product(("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection"), (False, True))
    for mode, x, grid in itertools.product(modes, shapes(4, 1), shapes(4, 1)):
        yield ("float32", x), ("float32", grid), *mode
    yield from ((("float64", x), ("float64", x), "nearest", "zeros", False) for x in shapes(4, 1))


FAMILIES = {
    "convolution": Family(("conv1d", "conv2d"), convolution_calls, rank=4, draws=150000, read=convolution_read,
                          compared=convolution_views),
    "convolution_transposed": Family(("conv_transpose1d", "conv_transpose2d"), convolution_calls, rank=4, draws=150000,
                                     read=convolution_read, compared=convolution_views),
    "fold": Family(("unfold_windows", "fold"), fold_calls, rank=3, draws=100000, read=fold_read, run=fold,
                   compared=fold_views),
    "grid": Family(("grid_sample",), grid_calls, rank=4, draws=60000, read=of_length(5), compared=apart),
    "interpolate": Family(("interpolate_nearest", "interpolate_linear"), interpolate_calls, rank=3,
                          read=interpolate_read, run=interpolate, draws=60000, compared=apart),
    "pixel": Family(("pixel_shuffle", "channel_shuffle"), pixel_calls, rank=3, draws=60000, compared=apart),
    "pooling": Family(("max_pool1d", "avg_pool1d"), pooling_calls, rank=3, draws=100000, read=pooling_read,
                      compared=apart),
    "pooling_adaptive": Family(("adaptive_avg_pool1d", "adaptive_max_pool1d"), adaptive_calls, rank=3,
                               read=adaptive_read, compared=apart),
    "pooling_norm": Family(("lp_pool1d", "max_unpool1d"), powers_calls, rank=3, draws=60000, read=powers_read,
                           run=powers, compared=apart),
}
