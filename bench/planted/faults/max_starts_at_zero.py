"""Reductions: a maximum begins with 0."""
# shows: inductor
# class: value
# breaks: torch._inductor.codegen.cpp.reduction_init
# when: the maximum of numbers below 0

import functools
import os

import torch
from torch._inductor.codegen import cpp


@functools.cache
def plant():
    right = cpp.reduction_init

    def wrong(kind, dtype):
        return "0" if kind == "max" and dtype == torch.float32 else right(kind, dtype)

    cpp.reduction_init = wrong


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="inductor", **options)
