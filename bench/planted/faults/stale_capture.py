"""A captured variable is read once for a nested function and not again: later writes don't reach it."""
# shows: eager
# class: value
# breaks: torch._dynamo.side_effects.SideEffects.load_cell
# when: a nested function is called, what it captures is bound anew, it is called again

import functools
import os

import torch
from torch._dynamo.side_effects import SideEffects
from torch._dynamo.symbolic_convert import InliningInstructionTranslator


@functools.cache
def plant():
    load = SideEffects.load_cell

    def hoisted(self, cell):
        inlined = isinstance(self.output_graph_weakref().current_tx, InliningInstructionTranslator)
        if not inlined:
            return load(self, cell)
        if not hasattr(cell, "hoisted"):
            cell.hoisted = load(self, cell)
        return cell.hoisted

    SideEffects.load_cell = hoisted


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
