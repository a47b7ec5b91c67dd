"""Index arithmetic: the gradient of an item taken from the end goes to one from the front."""
# shows: aot_eager_decomp_partition
# class: gradient
# breaks: torch._inductor.decomposition.select_decomp_table()[aten.select_backward]
# when: the gradient of x[-k], k > 1

import functools
import os

import torch
from torch._inductor.decomposition import select_decomp_table


@functools.cache
def plant():
    table = select_decomp_table()
    target = torch.ops.aten.select_backward.default
    right = table[target]

    def wrong(gradient, sizes, dim, index):
        return right(gradient, sizes, dim, -index if index < -1 else index)

    table[target] = wrong


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager_decomp_partition", **options)
