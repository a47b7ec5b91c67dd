"""Holds what core says of dtypes, shapes and strides against eager torch: JSON lines of types_dump on stdin.

Exit 1 with each line that eager contradicts, or when a kind of line is missing.
"""

import collections
import itertools
import json
import sys
import warnings

import torch

NUMBERS = {"bool": True, "int64": 3, "float64": 1.5, "complex128": 1j}
# There is no addcmul of bools or of complex32, and complex numbers have no bounds.
REFUSALS = ("not implemented for", "not supported", "cannot be converted to type double")


def dtype(name):
    return getattr(torch, name) if name else None


def name_of(of):
    return None if of == torch.complex32 else str(of).removeprefix("torch.")


def operand(kind, name):
    if kind == "number":
        return NUMBERS[name]
    return torch.ones((2,) if kind == "tensor" else (), dtype=dtype(name))


def promoted(operands):
    """The names of the dtypes that eager computes in, by each way of asking; there may be none for three operands."""
    tensors = sum(isinstance(one, torch.Tensor) for one in operands)
    if len(operands) == 2:
        yield name_of(torch.result_type(*operands))
        if tensors:
            yield name_of((operands[0] + operands[1]).dtype)
    elif tensors == 3 or tensors == 1 and isinstance(operands[0], torch.Tensor):
        # Of three, one operator takes tensors and one takes bounds that are numbers. Neither is there for every dtype.
        function = torch.addcmul if tensors == 3 else torch.clamp
        try:
            yield name_of(function(*operands).dtype)
        except (RuntimeError, NotImplementedError) as error:
            if not any(reason in str(error) for reason in REFUSALS):
                raise


def check_promote(row):
    torch.set_default_dtype(dtype(row["default"]))
    try:
        found = set(promoted([operand(*one) for one in row["operands"]]))
    finally:
        torch.set_default_dtype(torch.float32)
    if found:
        yield row["is"], found


def check_dtype(row):
    of = dtype(row["dtype"])
    yield row["floating"], {name_of(torch.exp(torch.ones(2, dtype=of)).dtype)}
    yield row["real"], {name_of(of.to_real())}
    if of.is_floating_point and of != torch.float16 or of.is_complex:
        yield row["complex"], {name_of(of.to_complex())}


def check_pair(row):
    a, b = dtype(row["a"]), dtype(row["b"])
    yield row["promote"], {name_of(torch.promote_types(a, b))}
    yield row["can_cast"], {torch.can_cast(a, b)}
    try:
        torch.ones(2, dtype=b).__imul__(torch.ones(2, dtype=a))
        written = True
    except RuntimeError as error:
        assert "can't be cast" in str(error), error
        written = False
    yield row["can_cast"], {written}


def check_broadcast(row):
    a, b = torch.empty(row["a"]), torch.empty(row["b"])
    try:
        both = list((a + b).shape)
    except RuntimeError:
        both = None
    try:
        expands = list(a.expand(row["b"]).shape) == row["b"]
    except RuntimeError:
        expands = False
    yield row["is"], {both} if both is None else {tuple(both)}
    yield row["expands"], {expands}


def check_shape(row):
    fresh = torch.empty(row["shape"])
    yield row["strides"], {fresh.stride()}
    yield row["count"], {fresh.numel()}
    yield row["checked"], {fresh.numel()}


MEMORY = torch.empty(64)


def check_strides(row):
    shape, strides = row["shape"], row["strides"]
    tensor = MEMORY.as_strided(shape, strides)
    fresh = torch.empty(shape).stride()
    yield row["row_major"], {all(size == 1 or a == b for size, a, b in zip(shape, strides, fresh))}
    yield row["contiguous"], {tensor.is_contiguous()}
    yield row["dense"], {torch.ops.aten.is_non_overlapping_and_dense(tensor)}
    places = [sum(i * s for i, s in zip(at, strides)) for at in itertools.product(*map(range, shape))]
    yield row["overlaps"], {len(places) != len(set(places))}


CHECKS = {
    "promote": check_promote,
    "dtype": check_dtype,
    "pair": check_pair,
    "broadcast": check_broadcast,
    "shape": check_shape,
    "strides": check_strides,
}


def main():
    warnings.simplefilter("ignore")
    answers = collections.Counter()
    wrong = 0
    for line in sys.stdin:
        row = json.loads(line)
        for says, eager in CHECKS[row["of"]](row):
            answers[row["of"]] += 1
            if {tuple(says) if isinstance(says, list) else says} != eager:
                wrong += 1
                print(f"{line.strip()}: {says} is said, eager has {eager}")
    missing = [of for of in CHECKS if not answers[of]]
    print(f"{sum(answers.values())} answers ({dict(answers)}), {wrong} wrong" + (f", none of {missing}" if missing else ""))
    sys.exit(1 if wrong or missing else 0)


if __name__ == "__main__":
    main()
