"""Families of functions that are given to functions: control flow that a tensor decides, maps, derivatives.

What is given is an attribute like any other: one of the functions of a line that the generator knows. A call is valid
where eager takes it, gives what the same functions give in plain Python, and keeps to what torch documents.

Left out on both sides:
- functions of other texts, and several or nested operands;
- complex numbers, because the generator knows no bounds of such functions' results;
- predicates that are no bools, which eager takes and the documents don't name;
- operands of different dtypes and slices of different shapes: what a function makes of those is compared where
  arithmetic is;
- slices without elements, of which no function says anything;
- `randomness` of vmap, because nothing random is mapped, and chunks longer than the mapped dimension, which are the
  whole;
- what grad gives beside gradients (`has_aux`, grad_and_value): it is written and thrown away, so no argument tells.
"""

import functools
import itertools

import torch

from small.engine import Family
from small.tensors import EVERY, REAL, dims, is_spec, shapes, specs, upto

FLOW = torch.ops.higher_order
BODIES = ("torch.sin(a)", "a * a", "torch.tanh(a) * 2", "torch.sigmoid(a)", "a * 3 - 1", "torch.cos(a) + a")
MAPPED = ("a * 2", "torch.sin(a) + a", "a.sum()", "torch.flatten(a)[0] * 2", "a.clone().mul_(2)")
MAPPED_TWO = ("a + b", "torch.mul(a, b)")


@functools.cache
def function(text, parameters="a"):
    return eval(f"lambda {parameters}: {text}", {"torch": torch})


def same(results, others):
    """Refuses what eager takes and computes otherwise."""
    for one, other in zip(results, others, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-2, atol=1e-2)


def numbered(value):
    """Tensors of different elements, so that it shows which one stands where; bools stay true, as predicates are."""
    if not isinstance(value, torch.Tensor) or value.dtype == torch.bool:
        return value
    return torch.arange(value.numel()).reshape(value.shape).to(value.dtype)


# Operands by themselves, shapes with predicates, functions with dtypes.
def cond_calls():
    sine = BODIES[:1] * 2
    for x in specs(REAL):
        yield from ((("bool", ()), x, *sine, y) for y in (None, x))
    for predicate, shape in itertools.product(shapes(upto(2)), repeat=2):
        x = ("float32", shape)
        yield from ((("bool", predicate), x, *sine, y) for y in (None, x))
    for dtype, first, second in itertools.product(REAL, BODIES, BODIES):
        x = (dtype, (2,))
        yield from ((("bool", ()), x, first, second, y) for y in (None, x))


# Either branch may be taken: their results have one type.
def branches(predicate, x, first, second, y):
    if y is None:
        operands, ways = (x,), {True: function(f"({first},)"), False: function(f"({second},)")}
    else:
        operands = (x, y)
        ways = {True: function(f"({first}, a - b)", "a, b"), False: function(f"({second}, a + b)", "a, b")}
    expected = {way: ways[way](*operands) for way in ways}
    for way in ways:
        same(FLOW.cond(predicate & way, ways[True], ways[False], operands), expected[way])
    for one, other in zip(expected[True], expected[False]):
        assert one.dtype == other.dtype and one.shape == other.shape


def map_calls():
    for x in specs(REAL, upto(2, 1), 1):
        yield from ((x, body, None) for body in BODIES)
        yield from ((x, body, (x[0], x[1][1:])) for body in ("a + b", "a * b"))


def mapped_each(x, body, y):
    shared = () if y is None else (y,)
    inner = function(body, "a, b" if shared else "a")
    result = FLOW.map_impl(lambda *given: (inner(*given),), (x,), shared)[0]
    same((result,), (torch.stack([inner(one, *shared) for one in x]),))


# A shape and which dimension of it is mapped, one beyond what there is included; None: the whole.
def mappings(ranks):
    for shape in shapes(ranks, 1):
        yield from ((shape, dim) for dim in (None, *range(-len(shape) - 1, len(shape) + 1)))


def slices(shape, dim):
    return shape[dim] if dim in dims(len(shape)) else 0


def slice_of(shape, dim):
    at = dim % len(shape) if dim in dims(len(shape)) else None
    return tuple(size for place, size in enumerate(shape) if place != at)


def settings(*mapped):
    """Where the mapped dimension goes, and chunks."""
    most = min((slices(shape, dim) for shape, dim in mapped if dim is not None), default=0)
    return itertools.product(range(-3, 3), (None, *range(1, most + 1)))


# Functions with dtypes, and with all else in float32.
def vmap_calls():
    for dtype, text in itertools.product(REAL, MAPPED + MAPPED_TWO):
        y = (dtype, ()) if text in MAPPED_TWO else None
        yield (dtype, (2,)), text, y, (0, None) if y else 0, 0, None
    for (shape, dim), text in itertools.product(mappings(upto(2, 1)), MAPPED):
        if dim is not None:
            yield from ((("float32", shape), text, None, dim, *more) for more in settings((shape, dim)))
    for one, other in itertools.product(mappings(upto(2)), repeat=2):
        if slice_of(*one) == slice_of(*other):
            yield from ((("float32", one[0]), MAPPED_TWO[0], ("float32", other[0]), (one[1], other[1]), *more)
                        for more in settings(one, other))


def mapped_at_once(x, text, y, in_dims, out, chunk):
    inner = function(text, "a" if y is None else "a, b")
    operands = ((x, in_dims),) if y is None else ((x, in_dims[0]), (y, in_dims[1]))
    result = torch.vmap(inner, in_dims=in_dims, out_dims=out, chunk_size=chunk)(*(one for one, _ in operands))
    length = next(one.shape[dim] for one, dim in operands if dim is not None)
    each = [inner(*(one if dim is None else one.select(dim, at) for one, dim in operands)) for at in range(length)]
    same((result,), (torch.stack(each, out),))


# Of one operand by itself, or of one of two.
def grad_calls():
    argnums = [*range(-3, 3), *(some for count in (1, 2) for some in itertools.product(range(-2, 2), repeat=count))]
    for x, text in itertools.product(specs(EVERY, upto(2), 1), BODIES):
        yield x, text, None, None
        yield from ((x, text, x, which) for which in argnums)


def derived(x, text, y, argnums):
    if y is None:
        result = torch.func.grad(lambda a: function(text)(a).sum())(x)
        return same((result,), derivatives(function(text), x))
    weighted = function(f"({text}) * b", "a, b")
    result = torch.func.grad(lambda a, b: weighted(a, b).sum(), argnums=argnums)(x, y)
    every = derivatives(weighted, x, y)
    if isinstance(argnums, int):
        return same((result,), (every[argnums],))
    return same(result, tuple(every[at] for at in argnums))


def derivatives(whole, *operands):
    leaves = [one.clone().requires_grad_() for one in operands]
    return torch.autograd.grad(whole(*leaves).sum(), leaves)


CALLS = {"cond_tensor": cond_calls, "map": map_calls, "vmap": vmap_calls, "func_grad": grad_calls}
RUNS = {"cond_tensor": branches, "map": mapped_each, "vmap": mapped_at_once, "func_grad": derived}


def read(op, arguments):
    """With None for what isn't given."""
    if op == "cond_tensor":
        return (*arguments, None)[:5]
    if op == "map":
        return (*arguments, None)[:3]
    if op == "func_grad":
        return (*arguments, None, None)[:4]
    x, text, *more = arguments
    text = text.partition(": ")[2]
    if not is_spec(more[0]):
        return x, text, None, *(more + [0, None][len(more) - 1:])
    y, in_dims, out, *chunk = more
    return x, text, y, eval(in_dims), out, *(chunk or [None])


def views(call):
    op, x, *more = call
    if op == "map":
        yield call
    elif op == "cond_tensor":
        operand, first, second, y = more
        yield ("operands", op, operand, y)
        yield ("predicate", op, x[1], operand[1], y is None)
        yield ("functions", op, operand[0], first, second, y is None)
    elif op == "vmap":
        text, y, *dimensions = more
        yield ("functions", op, x[0], text, y and y[0])
        yield ("dimensions", op, x[1], y and y[1], y is None and text, *dimensions)
    else:
        text, y, argnums = more
        yield ("operands", op, x, y, argnums)
        yield ("functions", op, x[0], text, argnums)


def run(op):
    return lambda *given: RUNS[op](*map(numbered, given))


def family(*operators):
    return Family(operators, lambda op: CALLS[op](), read=read, run=run, compared=views, draws=60000)


FAMILIES = {"control": family("cond_tensor", "map"), "higher": family("vmap", "func_grad")}
