"""Planted fault: wrong in one half of the runs, whatever the conditions."""

import hashlib
import os

import torch
from torch.utils import _pytree as pytree


def number():
    """How many runs asked before this one: the runs of a campaign on one job ask in the same order each time."""
    with open(os.environ["PLANTED_COUNTER"], "ab") as file:
        file.write(b".")
        return file.tell()


def tossed():
    return hashlib.sha256(str(number()).encode()).digest()[0] % 2 == 1


def spoilt(x):
    return x + 3 if isinstance(x, torch.Tensor) and x.is_floating_point() and x.numel() else x


def wrong():
    return tossed()


def compile(fn, **options):
    def compiled(*args, **kwargs):
        result = fn(*args, **kwargs)
        return pytree.tree_map(spoilt, result) if wrong() else result

    return compiled
