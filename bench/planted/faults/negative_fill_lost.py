"""Lowering: padding with a number below 0 pads with 0."""
# shows: inductor
# class: value
# breaks: torch._inductor.lowering.lowerings[aten.constant_pad_nd]
# when: pad with a value below 0

import functools
import os

import torch
from torch._inductor import lowering


@functools.cache
def plant():
    target = torch.ops.aten.constant_pad_nd.default
    right = lowering.lowerings[target]
    lowering.lowerings[target] = lambda x, padding, value=0: right(x, padding, max(value, 0))


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="inductor", **options)
