"""Functionalization's copy-back is left out for an argument that begins inside its storage."""
# shows: aot_eager
# class: state_after
# breaks: torch._functorch._aot_autograd.graph_capture_wrappers.apply_in_graph_mutations
# when: an argument with a storage offset is written

import functools
import os

import torch
from torch._functorch._aot_autograd import graph_capture_wrappers


@functools.cache
def plant():
    apply = graph_capture_wrappers.apply_in_graph_mutations

    def forgetful(info, old, new, *rest, **named):
        if old.storage_offset() == 0:
            apply(info, old, new, *rest, **named)

    graph_capture_wrappers.apply_in_graph_mutations = forgetful


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
