"""A product is cut short: a power with an odd exponent above 4 loses a factor."""
# shows: inductor
# class: value
# breaks: torch._inductor.lowering.pow_recursive
# when: an integer power of 5 or more, odd

import functools
import os

import torch
from torch._inductor import lowering


@functools.cache
def plant():
    right = lowering.pow_recursive
    lowering.pow_recursive = lambda x, y, dtype: right(x, y - 1 if y > 4 and y % 2 else y, dtype)


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="inductor", **options)
