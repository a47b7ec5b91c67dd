"""A non-default parameter is ignored: index_add adds what it is given, without alpha."""
# shows: aot_eager_decomp_partition
# class: value
# breaks: torch._inductor.decomposition.select_decomp_table()[aten.index_add]
# when: index_add with an alpha above 2

import functools
import os

import torch
from torch._inductor.decomposition import select_decomp_table


@functools.cache
def plant():
    table = select_decomp_table()
    target = torch.ops.aten.index_add.default
    right = table[target]

    def wrong(x, dim, index, source, *, alpha=1):
        return right(x, dim, index, source, alpha=min(alpha, 2))

    table[target] = wrong


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager_decomp_partition", **options)
