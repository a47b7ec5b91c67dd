"""Families of products of vectors and matrices, of transforms, and of lookups in tables."""

import itertools

import torch

from small.engine import Family
from small.reading import apart, first, named, tensors_only
from small.tensors import (COMPLEX, EVERY, FLOATS, INTEGERS, WIDE, alike, dims, fit, one_tensor, several_dims, shapes,
                           specs, upto)

PRODUCTS = FLOATS + COMPLEX + INTEGERS


def square_calls(op):
    dtypes = WIDE + COMPLEX
    if op == "inv":
        return one_tensor(dtypes, 2, 1)(op)
    return alike(2, dtypes, upto(2, 1), 1)(op)


# Of what the text makes of an operand: one that has an inverse.
def regular(x):
    return x + 4 * torch.eye(x.shape[-1], dtype=x.dtype).expand(x.shape)


# From either side: the arguments don't tell.
def solve(x, b):
    try:
        return torch.linalg.solve(regular(x), b)
    except RuntimeError:
        return torch.linalg.solve(regular(x), b, left=False)


def square(op):
    return solve if op == "solve" else lambda x: torch.linalg.inv(regular(x))


def solve_read(op, arguments):
    return (arguments[0], *arguments[2:])


def fourier_calls(op):
    if op == "fftshift":
        for x in specs(EVERY, upto(2, 1)):
            yield (x,)
            yield from ((x, (dim,)) for dim in dims(len(x[1])))
            yield from ((x, chosen) for chosen in several_dims(len(x[1]), 2))
        return
    for x in specs(INTEGERS + ("bool",) + WIDE + COMPLEX, upto(2, 1), 1):
        for dim, n in itertools.product(dims(len(x[1])), range(1, 5)):
            # At most twice the size.
            if n <= 2 * x[1][dim]:
                yield from ((x, n, dim, norm) for norm in (None, "backward", "ortho", "forward"))


def fourier(op):
    if op == "fftshift":
        return lambda x, *dim: torch.fft.fftshift(x, *dim)
    return lambda x, n, dim, norm: torch.fft.fft(x, n, dim, norm)


def fourier_read(op, arguments):
    if op == "fft":
        return (arguments[0], *named(arguments[1], n=None, dim=None, norm=None))
    if len(arguments) == 1:
        return arguments
    dim, = named(arguments[1], dim=None)
    return arguments[0], dim if isinstance(dim, tuple) else (dim,)


# What is added must not be larger than the product; no rows, for which eager forgets to broadcast it.
def added_calls(op):
    ranks = (1, 1) if op == "addr" else (2, 1)
    for dtype in PRODUCTS:
        for a, b in itertools.product(shapes(ranks[0]), shapes(ranks[1])):
            if op == "addr" or 0 not in a:
                yield from (((dtype, c), (dtype, a), (dtype, b)) for c in shapes(upto(2)))


def embedding_calls(op):
    if op == "one_hot":
        yield from ((x,) for x in specs(("int64",)))
        return
    for table in specs(FLOATS, 2, 1):
        yield from ((index, table) for index in specs(("int32", "int64"), upto(2), 1))


def embedding_read(op, arguments):
    return arguments[:1] if op == "one_hot" else arguments[:2]


def embedding(op):
    # Numbers of rows that every table has.
    if op == "one_hot":
        return lambda x: torch.nn.functional.one_hot(x, 2)
    return lambda index, table: torch.nn.functional.embedding(index * 0, table)


def cosine_calls(op):
    if op == "pdist":
        return one_tensor(WIDE, upto(2), 1)(op)
    # The least length is 0 in float16.
    return ((a, b, dim) for a, b in alike(2, ("bfloat16", *WIDE), upto(2), 1)(op) if a[1] and fit(a[1], b[1])
            for dim in dims(len(fit(a[1], b[1]))))


# With a dimension and the usual least length.
def distance_read(op, arguments):
    if op == "pdist":
        return arguments[:1]
    return arguments if len(arguments) == 3 and isinstance(arguments[2], int) else None


def products_calls(op):
    # Eager multiplies by numbers under the name of inner, too.
    return alike(2, PRODUCTS, upto(2, 1))(op) if op == "inner" else alike(2, (*PRODUCTS, "bool"), upto(2))(op)


def attention_calls(op):
    # All of one dtype; queries, keys and values have elements.
    for dtype, (q, k, v) in itertools.product(FLOATS, itertools.product(shapes(2, 1), repeat=3)):
        # Some of eager's kernels want two dimensions of a mask.
        masks = ((kind, shape) for kind in (dtype, "bool") for shape in shapes(2, 1))
        yield from (((dtype, q), (dtype, k), (dtype, v), mask, False) for mask in (None, *masks))
        yield (dtype, q), (dtype, k), (dtype, v), None, True


def attention(op):
    def run(q, k, v, mask, causal):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, mask, is_causal=causal)

    return run


def attention_read(op, arguments):
    mask = arguments[3] if len(arguments) > 3 and isinstance(arguments[3], tuple) else None
    return (*arguments[:3], mask, any(one is True for one in arguments[3:]))


FAMILIES = {
    "attention": Family(("scaled_dot_product_attention",), attention_calls, read=attention_read, run=attention),
    "distance": Family(("cosine_similarity", "pdist"), cosine_calls, draws=60000, read=distance_read),
    "embedding": Family(("embedding", "one_hot"), embedding_calls, read=embedding_read, run=embedding),
    "fourier": Family(("fft", "fftshift"), fourier_calls, read=fourier_read, run=fourier, draws=60000, compared=apart),
    "linalg": Family(("inv", "solve"), square_calls, read=solve_read, run=square),
    "matmul": Family(("matmul", "mm"), alike(2, ranks=upto(2)), draws=100000, read=tensors_only),
    "products": Family(("kron", "inner"), products_calls, draws=60000, read=first(2)),
    "products_added": Family(("addr", "addmv"), added_calls, draws=60000, read=first(3)),
}
