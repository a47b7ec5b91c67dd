"""Whether the generator is complete, for small bounds: what it draws of an operator is exactly what eager accepts.

Each family below lists every call of its operators over tensors of rank and sizes at most 2 (some: rank 1), of every
dtype that arguments have, and with every attribute; eager decides which of them are valid. That set must equal the set of
calls that tests/seedgen/tools/small_dump.cpp draws. Where there are too many calls to draw each, projections are
compared: every pair of dtypes, every pair of shapes, and so on. Left out on both sides, because the generator does so on purpose:
int16 (no argument has it of its own accord), results that torch makes complex32, and cat of a 1-d empty tensor with
tensors of more dimensions.

The rarest call of a family may be one in a million draws: while one is missing, the same number is drawn again, at most
ROUNDS times.

    check_small.py PATH/small_dump [FAMILY…]
"""

import itertools
import json
import subprocess
import sys
import warnings

import torch

DTYPES = ("bool", "uint8", "int8", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
          "complex128")


def shapes(rank):
    return [shape for length in range(rank + 1) for shape in itertools.product((0, 1, 2), repeat=length)]


def tensors(rank):
    return list(itertools.product(DTYPES, shapes(rank)))


def make(spec):
    dtype, shape = spec
    return torch.ones(shape, dtype=getattr(torch, dtype))


def accepted(function, *arguments, **keywords):
    try:
        result = function(*arguments, **keywords)
    except Exception:
        return False
    return result.dtype != torch.complex32


def dims(rank, beyond=0):
    """From the front and from the back; `beyond` 1: places between dimensions."""
    rank += beyond
    return range(-rank, rank) if rank else ()


# Families: operators, rank, draws; `every` gives all candidates (key, function, arguments, keywords), `key` makes the
# same key of a drawn call, or None for a call of another form.


def every_unary(op, rank):
    for spec in tensors(rank):
        yield (op, spec), getattr(torch, op), (make(spec),), {}


def every_binary(op, rank):
    for a, b in itertools.product(tensors(rank), repeat=2):
        yield (op, a, b), getattr(torch, op), (make(a), make(b)), {}


def every_reduction(op, rank):
    function = getattr(torch, op)
    for spec in tensors(rank):
        length = len(spec[1])
        yield (op, spec, None, False), function, (make(spec),), {}
        several = [pair for pair in itertools.permutations(dims(length), 2) if (pair[0] - pair[1]) % length]
        for dim in [*dims(length), *several]:
            for keepdim in (False, True):
                yield (op, spec, dim, keepdim), function, (make(spec),), {"dim": dim, "keepdim": keepdim}


def every_transpose(op, rank):
    for spec in tensors(rank):
        for pair in itertools.product(dims(len(spec[1])) or (-1, 0), repeat=2):
            yield (op, spec, *pair), torch.transpose, (make(spec), *pair), {}


def every_unsqueeze(op, rank):
    for spec in tensors(rank):
        for dim in dims(len(spec[1]), 1):
            yield (op, spec, dim), torch.unsqueeze, (make(spec), dim), {}


def every_cat(op, rank):
    for a, b in itertools.product(tensors(rank), repeat=2):
        for dim in dims(len(a[1])):
            if len(a[1]) == len(b[1]):
                yield (op, a, b, dim), torch.cat, ((make(a), make(b)), dim), {}


def every_product(op, rank):
    for (dtype, a), b in itertools.product(tensors(rank), shapes(rank)):
        yield (op, (dtype, a), (dtype, b)), getattr(torch, op), (make((dtype, a)), make((dtype, b))), {}


def every_stack(op, rank):
    for a, b in itertools.product(tensors(rank), repeat=2):
        for dim in dims(len(a[1]), 1) if a[1] == b[1] else ():
            yield (op, a, b, dim), torch.stack, ((make(a), make(b)), dim), {}


def every_squeeze(op, rank):
    for spec in tensors(rank):
        for dim in dims(len(spec[1])):
            yield (op, spec, dim), torch.squeeze, (make(spec), dim), {}


def every_select(op, rank):
    for spec in tensors(rank):
        for dim, at in itertools.product(dims(len(spec[1])), range(-3, 4)):
            yield (op, spec, dim, at), torch.select, (make(spec), dim, at), {}


def every_narrow(op, rank):
    for spec in tensors(rank):
        for dim, start, length in itertools.product(dims(len(spec[1])), range(-3, 4), range(4)):
            yield (op, spec, dim, start, length), torch.narrow, (make(spec), dim, start, length), {}


def every_scan(op, rank):
    for spec in tensors(rank):
        for dim in dims(len(spec[1])):
            yield (op, spec, dim), getattr(torch, op), (make(spec), dim), {}


def every_flip(op, rank):
    for spec in tensors(rank):
        length = len(spec[1])
        for some in (1, 2):
            for chosen in itertools.permutations(dims(length), some):
                yield (op, spec, chosen), torch.flip, (make(spec), chosen), {}


def every_permute(op, rank):
    for spec in tensors(rank):
        length = len(spec[1])
        for order in itertools.permutations(dims(length), length):
            yield (op, spec, order), torch.permute, (make(spec), order), {}


def spec_of(value):
    return (value["dtype"], tuple(value["shape"])) if isinstance(value, dict) else None


def tensors_only(op, arguments):
    specs = [spec_of(argument) for argument in arguments]
    return None if None in specs else (op, *specs)


def reduction(op, arguments):
    def parsed(dim=None, keepdim=False, **others):
        return None if others else (dim, keepdim)

    text = arguments[1] if len(arguments) > 1 else ""
    found = eval(f"parsed({text})", {"parsed": parsed, "torch": torch})
    if found is None or "dim=None" in text:
        return None
    # A scalar has a dimension to name, but none to reduce.
    return (op, spec_of(arguments[0]), *found)


def tensor_and_numbers(op, arguments):
    return (op, spec_of(arguments[0]), *arguments[1:])


def tensor_and_tuple(op, arguments):
    return (op, spec_of(arguments[0]), tuple(arguments[1]))


def tensor_and_dim(op, arguments):
    return (op, spec_of(arguments[0]), arguments[1]) if isinstance(arguments[1], int) else None


def joined(op, arguments):
    parts, dim = arguments
    return (op, *map(spec_of, parts), dim) if len(parts) == 2 else None


def projections(name, calls):
    if name in ("binary", "bitwise", "comparison"):
        return {(op, a[0], b[0]) for op, a, b in calls} | {(op, a[0], a[1], b[1]) for op, a, b in calls}
    if name == "narrow":
        return {(op, spec, dim) for op, spec, dim, *_ in calls} | {(op, spec[1], *rest) for op, spec, *rest in calls}
    if name == "reductions":
        return {(op, spec) for op, spec, *_ in calls} | {(op, spec[1], *rest) for op, spec, *rest in calls}
    return calls


FAMILIES = {
    "unary": (("tanh", "relu"), 2, 30000, every_unary, tensors_only),
    "binary": (("sub", "maximum"), 1, 200000, every_binary, tensors_only),
    "reductions": (("amax", "sum"), 2, 150000, every_reduction, reduction),
    "transpose": (("transpose",), 2, 40000, every_transpose, tensor_and_numbers),
    "unsqueeze": (("unsqueeze",), 2, 30000, every_unsqueeze, tensor_and_numbers),
    "cat": (("cat",), 1, 400000, every_cat, joined),
    "bitwise": (("bitwise_and", "bitwise_xor"), 1, 60000, every_binary, tensors_only),
    "comparison": (("eq", "lt"), 1, 200000, every_binary, tensors_only),
    "stack": (("stack",), 1, 200000, every_stack, joined),
    "squeeze": (("squeeze_dim",), 2, 40000, every_squeeze, tensor_and_dim),
    "select": (("select",), 2, 60000, every_select, tensor_and_numbers),
    "narrow": (("narrow",), 2, 60000, every_narrow, tensor_and_numbers),
    "scan": (("cumsum", "cumprod"), 2, 60000, every_scan, tensor_and_numbers),
    "flip": (("flip",), 2, 60000, every_flip, tensor_and_tuple),
    "permute": (("permute",), 2, 60000, every_permute, tensor_and_tuple),
    "matmul": (("matmul", "mm"), 2, 150000, every_product, tensors_only),
}
ROUNDS = 5
# Operators that only stand beside the others of their family in a program.
BESIDE = {"transpose": ("t",), "unsqueeze": ("relu",), "narrow": ("relu",), "select": ("relu",), "permute": ("relu",)}


def drawn_calls(dump, first, draws, name):
    operators, rank, _, _, key = FAMILIES[name]
    words = [dump, str(first), str(draws), str(rank), *operators, *BESIDE.get(name, ())]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    asked = (line for line in lines.splitlines() if "int16\"" not in line.replace("bfloat16", ""))
    drawn = {key(line["op"], line["arguments"]) for line in map(json.loads, asked) if line["op"] in operators}
    return drawn - {None}


def check(dump, name):
    operators, rank, draws, every, _ = FAMILIES[name]
    valid = {one for op in operators for one, function, arguments, keywords in every(op, rank)
             if accepted(function, *arguments, **keywords)}
    calls, drawn = set(), set()
    wanted = projections(name, valid)
    for round in range(ROUNDS):
        calls |= drawn_calls(dump, round * draws, draws, name)
        drawn = projections(name, calls)
        if wanted <= drawn:
            break
    valid = wanted
    print(f"{name}: {len(drawn)} drawn, {len(valid)} valid")
    for what, left in (("valid, but never drawn", valid - drawn), ("drawn, but not valid", drawn - valid)):
        if left:
            print(f"  {what}: {len(left)}")
            for one in sorted(left, key=str)[:12]:
                print(f"    {one}")
    return drawn == valid and len(valid) > 0


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    dump, *names = sys.argv[1:]
    wrong = [name for name in names or FAMILIES if not check(dump, name)]
    if wrong:
        print(f"not complete: {', '.join(wrong)}")
        sys.exit(1)


if __name__ == "__main__":
    main()
