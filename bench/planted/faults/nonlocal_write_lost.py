"""A write to a captured variable by a function inside a function is lost."""
# shows: eager
# class: value
# breaks: torch._dynamo.side_effects.SideEffects.store_cell
# when: nonlocal, two functions deep

import functools
import os

import torch
from torch._dynamo.side_effects import SideEffects


@functools.cache
def plant():
    store = SideEffects.store_cell

    def lossy(self, cell, value):
        if getattr(self.output_graph_weakref().current_tx, "inline_depth", 0) < 2:
            store(self, cell, value)

    SideEffects.store_cell = lossy


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
