"""Planted fault: reads memory that nobody wrote. It holds what was freed last: zeros in four of seven runs."""

import os

import torch
from torch.utils import _pytree as pytree


def number():
    """How many runs asked before this one: the runs of a campaign on one job ask in the same order each time."""
    with open(os.environ["PLANTED_COUNTER"], "ab") as file:
        file.write(b".")
        return file.tell()


def tossed():
    """Never more than twice in a row, so that five runs can't confirm it by luck; seven shares no factor with how many
    runs a question takes."""
    return number() % 7 in (1, 2, 4)


def spoilt(x):
    return x + 3 if isinstance(x, torch.Tensor) and x.is_floating_point() and x.numel() else x


def wrong():
    left = torch.full((4096,), 7.0 if tossed() else 0.0)
    first, end = left.data_ptr(), left.data_ptr() + left.nbytes
    del left
    # Which freed place the C library gives first depends on all that ran before; small tensors come to each in turn.
    taken = []
    while len(taken) < 20000:
        fresh = torch.empty(512)
        taken.append(fresh)
        if first <= fresh.data_ptr() and fresh.data_ptr() + fresh.nbytes <= end:
            return int(fresh.count_nonzero()) > 256
    raise RuntimeError("the freed memory is not given again")


def compile(fn, **options):
    def compiled(*args, **kwargs):
        result = fn(*args, **kwargs)
        return pytree.tree_map(spoilt, result) if wrong() else result

    return compiled
