"""Promotion: cat brings everything to the first tensor's dtype on the way."""
# shows: inductor
# class: value
# breaks: torch._inductor.lowering.lowerings[aten.cat]
# when: cat of integers and fractions

import functools
import os

import torch
from torch._inductor import lowering


@functools.cache
def plant():
    target = torch.ops.aten.cat.default
    right = lowering.lowerings[target]

    def wrong(inputs, dim=0):
        first = inputs[0].get_dtype()
        if not first.is_floating_point:
            inputs = [lowering.to_dtype(lowering.to_dtype(one, first), one.get_dtype()) for one in inputs]
        return right(inputs, dim)

    lowering.lowerings[target] = wrong


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="inductor", **options)
