"""Alias analysis: arguments that overlap are taken for separate ones."""
# shows: aot_eager
# class: value or state_after
# breaks: torch._functorch._aot_autograd.runtime_wrappers.compute_overlapping_inputs
# when: two arguments overlap and one is written

import functools
import os

import torch
from torch._functorch._aot_autograd import runtime_wrappers


@functools.cache
def plant():
    runtime_wrappers.compute_overlapping_inputs = lambda *rest: set()


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
