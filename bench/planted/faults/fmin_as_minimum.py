"""One operator is lowered as another: fmin as minimum."""
# shows: aot_eager_decomp_partition
# class: value
# breaks: torch._inductor.decomposition.select_decomp_table()[aten.fmin]
# when: fmin of something with NaN

import functools
import os

import torch
from torch._inductor.decomposition import select_decomp_table


@functools.cache
def plant():
    table = select_decomp_table()
    target = torch.ops.aten.fmin.default
    right = table[target]

    def wrong(one, other):
        return torch.minimum(one, other)

    table[target] = wrong


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager_decomp_partition", **options)
