"""What is drawn of a family's operators against what eager accepts of the calls that the family lists."""

import json
import subprocess
from typing import Callable, NamedTuple

import torch

from small.reading import frozen, plain
from small.tensors import made

# Of a family's draws, one after the other while a valid call is missing. A call that is drawn and not valid is looked for in
# the first share at least; the test `seedgen.check_operators` does so, too, at each day's seeds.
SHARES = (*[0.2] * 5, *[0.5] * 18)


def function_of(op):
    """The function of that name; of an in-place form the method, of a copy."""
    if op.endswith("_"):
        method = getattr(torch.Tensor, op)
        return lambda x, *others, **named: method(x.clone(), *others, **named)
    for place in (torch, torch.nn.functional, torch.special, torch.Tensor):
        if hasattr(place, op):
            return getattr(place, op)
    raise LookupError(op)


def whole(call):
    yield call


class Family(NamedTuple):
    operators: tuple
    # The arguments of every call of an operator that is looked at.
    calls: Callable
    # Of what is read; of no more than that rank.
    rank: int = 2
    draws: int = 30000
    # (operator, arguments of a drawn call) -> the arguments as `calls` lists them, or None for another form.
    read: Callable = plain
    # What is compared of a call (operator, *arguments).
    compared: Callable = whole
    # From the operator to what eager runs.
    run: Callable = function_of
    # Operators that only stand beside the others in a program.
    beside: tuple = ()


def accepted(function, arguments):
    try:
        result = function(*map(made, arguments))
    except Exception:
        return False
    # Nothing has half precision and is complex.
    return getattr(result, "dtype", None) != torch.complex32


def valid_calls(family):
    for op in family.operators:
        function = family.run(op)
        yield from ((op, *arguments) for arguments in set(family.calls(op)) if accepted(function, arguments))


def drawn_calls(dump, first, count, family):
    words = [dump, str(first), str(count), str(family.rank), *family.operators, *family.beside]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    for line in lines.splitlines():
        if "int16\"" in line.replace("bfloat16", ""):
            continue
        call = json.loads(line)
        if call["op"] in family.operators:
            arguments = family.read(call["op"], frozen(call["arguments"]))
            if arguments is not None:
                yield (call["op"], *arguments)


def compared_of(family, calls):
    return {one for call in calls for one in family.compared(call)}


def complete(dump, name, family):
    """Whether both sets are equal; prints what is only in one."""
    valid = compared_of(family, valid_calls(family))
    drawn, first = set(), 0
    for share in SHARES:
        count = round(share * family.draws)
        drawn |= compared_of(family, drawn_calls(dump, first, count, family))
        if valid <= drawn:
            break
        first += count
    print(f"{name}: {len(drawn)} drawn, {len(valid)} valid")
    for what, left in (("valid, but never drawn", valid - drawn), ("drawn, but not valid", drawn - valid)):
        if left:
            print(f"  {what}: {len(left)}")
            for one in sorted(left, key=str)[:12]:
                print(f"    {one}")
    return drawn == valid and len(valid) > 0
