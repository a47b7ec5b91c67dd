"""Gradients: leaky_relu's slope loses its sign."""
# shows: aot_eager_decomp_partition
# class: gradient
# breaks: torch._inductor.decomposition.select_decomp_table()[aten.leaky_relu_backward]
# when: the gradient of leaky_relu with a negative slope, of something negative

import functools
import os

import torch
from torch._inductor.decomposition import select_decomp_table


@functools.cache
def plant():
    table = select_decomp_table()
    target = torch.ops.aten.leaky_relu_backward.default
    right = table[target]

    def wrong(gradient, x, slope, is_result):
        return right(gradient, x, abs(slope), is_result)

    table[target] = wrong


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager_decomp_partition", **options)
