"""Families of operators on each element."""

import itertools
import math

import torch

from small.engine import Family
from small.reading import apart, first, of_length, pairs, tensors_only
from small.tensors import (COMPLEX, EVERY, FLOATS, INTEGERS, NUMBERS, REAL, WIDE, alike, dims, fit, one_tensor, shapes,
                           specs, two_tensors, upto)


# Activations are of floats; their numbers come from a table, so only those without are compared.
def activation_calls(op):
    settings = ((), ("none",), ("tanh",)) if op == "gelu" else ((), (True,))
    return one_tensor(FLOATS if op == "gelu" else FLOATS + COMPLEX, settings=settings)(op)


def activation(op):
    if op == "gelu":
        return lambda x, approximate="none": torch.nn.functional.gelu(x, approximate=approximate)
    return lambda x, inplace=False: torch.nn.functional.silu(x.clone(), inplace=inplace)


def clamp(op):
    ends = (0, 1) if op == "clamp" else (0,)
    return lambda x: getattr(torch, op)(x, *ends)


def cast_calls(op):
    for x in specs(ranks=upto(1)):
        for target in EVERY if op == "to" else ("float32",):
            # A cast never drops an imaginary part.
            if x[0] not in COMPLEX or target in COMPLEX:
                yield (x, target) if op == "to" else (x,)


def cast(op):
    return lambda x, *target: getattr(x, op)(*(getattr(torch, name) for name in target))


# Each dtype with those that its bytes are shown as.
SHOWN = {"float32": ("int32", "uint8"), "float64": ("int32", "int8"), "float16": ("uint8",), "int64": ("int32", "int8"),
         "int32": ("float32", "uint8"), "int8": ("uint8",), "uint8": ("int8", "bool"), "bool": ("uint8", "int8")}


def bits_calls(op):
    for dtype, targets in SHOWN.items():
        for shape, target in itertools.product(shapes(upto(2)), targets):
            yield (dtype, shape), target


def bits(op):
    return lambda x, target: x.view(getattr(torch, target))


def fill_calls(op):
    for x in specs():
        if op == "zeros_like":
            yield (x,)
        else:
            yield from ((x, ("bool", shape)) for shape in shapes(upto(2)))


def fill(op):
    return torch.zeros_like if op == "zeros_like" else lambda x, mask: x.clone().masked_fill_(mask, 1)


# Without a dtype of its own.
def fill_read(op, arguments):
    return arguments[:1 if op == "zeros_like" else 2]


def complex_calls(op):
    # Both parts are of one dtype.
    return alike(2, ranks=upto(2))(op) if op == "complex" else one_tensor()(op)


def where_calls(op):
    for a, b in two_tensors()(op):
        # Both operands are complex or none is: autograd has no derivative of others.
        if (a[0] in COMPLEX) == (b[0] in COMPLEX):
            yield from ((("bool", shape), a, b) for shape in shapes(upto(1)))


def masked_calls(op):
    for dtype, (a, mask) in itertools.product(EVERY, itertools.product(shapes(upto(1)), repeat=2)):
        if op == "masked_fill":
            yield (dtype, a), ("bool", mask), (dtype, ())
        else:
            places = math.prod(fit(a, mask) or ())
            yield from (((dtype, a), ("bool", mask), (dtype, (count,))) for count in range(places, 3))


def gate_calls(op):
    for dtype, shape in specs(FLOATS, upto(2, 1)):
        if op == "glu":
            # Of a dimension with elements, by default the last one.
            yield from (((dtype, shape), dim) for dim in dims(len(shape)) if shape[dim])
            if shape[-1]:
                yield ((dtype, shape),)
        elif 0 not in shape:
            # A slope has a dimension.
            yield from (((dtype, shape), (dtype, slope)) for slope in shapes(1))


# Of a source only the number of its elements matters: as many as there are places, or one or two more.
def masked_views(call):
    op, x, mask, source = call
    yield (op, x, mask, math.prod(source[1])) if op == "masked_scatter" else call


# Without bools beside integers, and integers beside floats.
def special_calls(op):
    return two_tensors(INTEGERS if op == "gcd" else FLOATS)(op)


# Two items each: integers go with integers. Of uint8 nearly all negatives are out of range.
def lists_of_two(op):
    integers = INTEGERS if op == "_foreach_abs" else INTEGERS[1:]
    for dtypes in (integers, FLOATS + COMPLEX):
        yield from ((pair,) for pair in itertools.product(specs(dtypes, upto(1)), repeat=2))


def two_items(op, arguments):
    return arguments if len(arguments[0]) == 2 else None


def dropout(op):
    return lambda x, p, training: getattr(torch.nn.functional, op)(x, p, training)


# Dropout that drops nothing.
def dropout_calls(op):
    return one_tensor(REAL, settings=((0.0, True), (0.25, False)))(op)


def float_parts_calls(op):
    return one_tensor(FLOATS if op == "frexp" else REAL)(op)


FAMILIES = {
    "activation": Family(("gelu", "silu"), activation_calls, run=activation),
    "alias": Family(("contiguous", "positive"), one_tensor()),
    "arithmetic": Family(("sub", "mul"), two_tensors(), rank=1, draws=200000, read=tensors_only, compared=pairs),
    "binary_in_place": Family(("add_", "eq_"), two_tensors(), rank=1, draws=200000, read=tensors_only,
                              compared=pairs),
    "binary_math": Family(("maximum", "copysign"), two_tensors(REAL), rank=1, draws=200000, read=tensors_only,
                          compared=pairs),
    "bits": Family(("view_dtype",), bits_calls, run=bits),
    "bitwise": Family(("bitwise_and", "bitwise_xor"), two_tensors(), rank=1, draws=60000, read=tensors_only,
                      compared=pairs),
    "cast": Family(("to", "float"), cast_calls, rank=1, run=cast),
    "clamp": Family(("clamp", "clamp_min"), one_tensor(), read=first(1), run=clamp),
    "comparison": Family(("eq", "lt"), two_tensors(), rank=1, draws=200000, read=tensors_only, compared=pairs),
    "complex": Family(("complex", "real"), complex_calls, draws=100000),
    # Half precision is left out.
    "division": Family(("floor_divide", "remainder"), two_tensors(INTEGERS + WIDE), rank=1, draws=100000,
                       read=tensors_only, compared=pairs),
    "dropout": Family(("dropout", "alpha_dropout"), dropout_calls, read=of_length(3), run=dropout),
    "fill": Family(("zeros_like", "masked_fill_"), fill_calls, read=fill_read, run=fill, draws=100000),
    "float_parts": Family(("frexp", "nan_to_num"), float_parts_calls, read=first(1)),
    "foreach": Family(("_foreach_abs", "_foreach_neg"), lists_of_two, rank=1, read=two_items, draws=200000),
    "gate": Family(("glu", "prelu"), gate_calls, draws=60000),
    "masked": Family(("masked_fill", "masked_scatter"), masked_calls, rank=1, draws=150000, read=tensors_only,
                     compared=masked_views),
    "predicate": Family(("logical_not", "signbit"), one_tensor()),
    "special": Family(("i0", "ndtr"), one_tensor()),
    "special_binary": Family(("gcd", "logaddexp2"), special_calls, rank=1, draws=100000, read=tensors_only,
                             compared=pairs),
    # All of one dtype.
    "ternary": Family(("addcmul", "lerp"), alike(3, NUMBERS + COMPLEX), rank=1, draws=60000, read=tensors_only, compared=apart),
    "unary_in_place": Family(("abs_", "tanh_"), one_tensor()),
    "unary_math": Family(("tanh", "exp"), one_tensor()),
    "unary_same": Family(("relu", "abs"), one_tensor()),
    "where": Family(("where",), where_calls, rank=1, draws=200000, read=tensors_only, compared=apart),
}
