"""What numbers show of an operator: how far results are from those of the reals, and whether slices have the bits of the whole."""

import itertools

import torch

import operator_samples as samples

KIND_OF = {"integers": [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64],
           "all": [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32,
                   torch.float64]}
COUNT = 2003
# Sizes and strides that take a loop over vectors through its body, its rest and its strided form.
SLICES = [slice(0, 37), slice(3, 20), slice(1, None, 2), slice(5, 6), slice(40, 1900, 7)]


def words(row, column):
    return [] if row[column] == "-" else row[column].split(" ")


def function_of(row):
    for letter in "tfslx":
        if letter in row["spellings"]:
            return getattr(samples.NAMESPACES[letter], row["name"])
    # Where no namespace gives the same as the others, for it draws, and of forms in place alone.
    namespaces = [torch.Tensor] if row["spellings"] == "m" else samples.NAMESPACES.values()
    return next(found for name in (row["name"], row["name"] + "_") for namespace in namespaces if (found := getattr(namespace, name, None)) is not None)


def needed(row):
    """How many operands the operator must have."""
    names = list(itertools.takewhile(lambda word: word != "*", words(row, "parameters")))
    # Of two bounds either may be left out, and not both.
    return {"where": 3, "clamp": 2, "clip": 2}.get(row["name"], sum(not name.endswith("=") for name in names))


def values(dtype, count, seed):
    """Numbers of both signs and many sizes, whole and halves among them."""
    made = torch.Generator().manual_seed(seed)
    small = torch.randn(count, generator=made, dtype=torch.float64) * 2
    large = torch.randn(count, generator=made, dtype=torch.float64) * 50
    whole = torch.randint(-6, 7, (count,), generator=made).double() / 2
    pick = torch.randint(0, 3, (count,), generator=made)
    numbers = torch.where(pick == 0, small, torch.where(pick == 1, large, whole))
    if not dtype.is_floating_point:
        numbers = numbers.round()
    return (numbers.abs() if dtype in (torch.uint8, torch.bool) else numbers).to(dtype)


def bits(value):
    """Bits of a tensor, any NaN being one."""
    if value.is_floating_point():
        value = torch.where(value.isnan(), torch.full_like(value, torch.nan), value)
    return samples.bits(value)


def tried(function, given):
    return samples.tried(function, given, {})


def numerics(row):
    """"exact", "rounded" or "loose" as far as many float32 values show it, or "" where they show nothing."""
    function = function_of(row)
    if "float" in words(row, "dtypes"):
        given = [values(torch.float32, COUNT, 7 + place) for place in range(needed(row))]
        made, wide = tried(function, given), tried(function, [one.double() for one in given])
    else:  # of integers, in more bits
        given = [values(torch.int32, COUNT, 7 + place) for place in range(needed(row))]
        if "shift" in row["name"]:
            given[1] = given[1].abs() % 8
        made, wide = tried(function, given), tried(function, [one.long() for one in given])
    if not isinstance(made, torch.Tensor) or not isinstance(wide, torch.Tensor) or made.shape != (COUNT,):
        return ""
    if not made.dtype.is_floating_point:
        return "exact" if bool((made == wide).all()) else "loose"
    same = (made.double() == wide) | (made.isnan() & wide.isnan())
    near = (made == wide.float()) | (made.isnan() & wide.isnan())
    return "exact" if bool(same.all()) else "rounded" if bool(near.all()) else "loose"


def pieces_differ(row, dtype):
    """A slice whose bits differ, or ""; None where eager takes no such values."""
    given = [values(dtype, COUNT, 11 + place) for place in range(needed(row))]
    if row["name"] == "where":
        given[0] = given[0] > 0
    if dtype in KIND_OF["integers"] and row["name"] in ("remainder", "fmod", "floor_divide"):
        given[1] = torch.where(given[1] == 0, torch.ones_like(given[1]), given[1])
    function = function_of(row)
    whole = tried(function, given)
    if not isinstance(whole, torch.Tensor) or whole.shape != (COUNT,):
        return None
    for part in SLICES:
        if bits(function(*[one[part] for one in given])) != bits(whole[part]):
            return f"{part} of {dtype}"
    for at in range(0, COUNT, 61):
        if bits(function(*[one[at] for one in given])) != bits(whole[at]):
            return f"element {at} of {dtype}"
    return ""
