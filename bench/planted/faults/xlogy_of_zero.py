"""One operator is written out carelessly: xlogy as a product with a logarithm."""
# shows: aot_eager_decomp_partition
# class: value
# breaks: torch._inductor.decomposition.select_decomp_table()[aten.xlogy]
# when: xlogy of 0 and 0

import functools
import os

import torch
from torch._inductor.decomposition import select_decomp_table


@functools.cache
def plant():
    table = select_decomp_table()
    target = torch.ops.aten.xlogy.Tensor
    right = table[target]

    def wrong(x, y):
        return x * torch.log(y)

    table[target] = wrong


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager_decomp_partition", **options)
