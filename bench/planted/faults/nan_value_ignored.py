"""A non-default parameter is ignored: nan_to_num puts 0 for NaN."""
# shows: aot_eager_decomp_partition
# class: value
# breaks: torch._inductor.decomposition.select_decomp_table()[aten.nan_to_num]
# when: nan_to_num with a number for NaN, of something with NaN

import functools
import os

import torch
from torch._inductor.decomposition import select_decomp_table


@functools.cache
def plant():
    table = select_decomp_table()
    target = torch.ops.aten.nan_to_num.default
    right = table[target]

    def wrong(x, nan=0.0, posinf=None, neginf=None):
        return right(x, 0.0, posinf, neginf)

    table[target] = wrong


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager_decomp_partition", **options)
