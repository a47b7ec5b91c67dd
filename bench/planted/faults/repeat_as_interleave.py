"""Index arithmetic: repeat in a later dimension divides where it should take the remainder."""
# shows: inductor
# class: value
# breaks: torch._inductor.lowering.lowerings[aten.repeat]
# when: repeat of more than one column

import functools
import os

import torch
from torch._inductor import lowering


@functools.cache
def plant():
    target = torch.ops.aten.repeat.default
    right = lowering.lowerings[target]

    def wrong(x, repeats):
        sizes = list(x.get_size())
        if len(repeats) == len(sizes) == 2 and repeats[0] == 1 and repeats[1] > 2 and sizes[1] > 1:
            tall = lowering.expand(lowering.unsqueeze(x, 2), [*sizes, repeats[1]])
            return lowering.view(lowering.clone(tall), [sizes[0], sizes[1] * repeats[1]])
        return right(x, repeats)

    lowering.lowerings[target] = wrong


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="inductor", **options)
