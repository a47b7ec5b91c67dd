"""A pass that removes what does nothing takes a flip over two dimensions for that."""
# shows: inductor
# class: value
# breaks: torch._inductor.fx_passes.post_grad.noop_registry
# when: flip over two dimensions

import functools
import os

import torch
from torch._inductor.fx_passes import post_grad


@functools.cache
def plant():
    post_grad.noop_registry[torch.ops.prims.rev.default] = (lambda x, dims: len(dims) == 2, 0)


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="inductor", **options)
