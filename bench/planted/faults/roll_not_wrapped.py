"""Index arithmetic: a roll by more than the size stops at the end."""
# shows: aot_eager_decomp_partition
# class: value
# breaks: torch._inductor.decomposition.select_decomp_table()[aten.roll]
# when: roll by more than the size

import functools
import os

import torch
from torch._inductor.decomposition import select_decomp_table


@functools.cache
def plant():
    table = select_decomp_table()
    target = torch.ops.aten.roll.default
    right = table[target]

    def wrong(x, shifts, dims=()):
        sizes = [x.size(dim) for dim in dims] if dims else [x.numel()]
        return right(x, [min(shift, size) for shift, size in zip(shifts, sizes)], dims)

    table[target] = wrong


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager_decomp_partition", **options)
