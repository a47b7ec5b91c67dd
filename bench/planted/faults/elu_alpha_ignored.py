"""A decomposition ignores a parameter: elu is taken with alpha = 1."""
# shows: aot_eager_decomp_partition
# class: value
# breaks: torch._inductor.decomposition.select_decomp_table()[aten.elu]
# when: elu with another alpha, of something negative

import functools
import os

import torch
from torch._inductor.decomposition import select_decomp_table


@functools.cache
def plant():
    elu = torch.ops.aten.elu.default
    right = select_decomp_table()[elu]

    def wrong(x, alpha=1, *rest):
        return right(x, 1, *rest)

    select_decomp_table()[elu] = wrong


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager_decomp_partition", **options)
