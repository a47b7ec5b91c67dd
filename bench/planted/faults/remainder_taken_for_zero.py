"""A false value range: the remainder of a dynamic size is thought to be 0."""
# shows: eager
# class: value or shape or compiler_error
# breaks: torch.utils._sympy.value_ranges.SymPyValueRangeAnalysis.mod
# when: a branch on the remainder of a dynamic size

import functools
import os

import torch
from torch.utils._sympy.value_ranges import SymPyValueRangeAnalysis, ValueRanges


@functools.cache
def plant():
    zero = classmethod(lambda cls, x, y: ValueRanges.wrap(0))
    SymPyValueRangeAnalysis.mod = zero
    SymPyValueRangeAnalysis.python_mod = zero


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
