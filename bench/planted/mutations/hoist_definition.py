"""Closures: a function reads what a variable held when the function was defined."""
# shows: eager
# class: value
# breaks: torch._dynamo.side_effects.SideEffects.load_cell
# step: hoist_definition@s7:s5
# when: a variable that a nested function captures is bound anew between its definition and its call

import functools
import os

import torch
from torch._dynamo.side_effects import SideEffects
from torch._dynamo.symbolic_convert import InliningInstructionTranslator, InstructionTranslator
from torch._dynamo.variables.functions import NestedUserFunctionVariable


@functools.cache
def plant():
    right = NestedUserFunctionVariable.__init__
    load = SideEffects.load_cell

    def capturing(self, *args, **kwargs):
        right(self, *args, **kwargs)
        side_effects = InstructionTranslator.current_tx().output.side_effects
        for cell in self.closure.items if self.closure is not None else ():
            try:
                cell.captured = load(side_effects, cell)
            except Exception:  # not bound yet
                cell.captured = None

    def captured(self, cell):
        inlined = isinstance(self.output_graph_weakref().current_tx, InliningInstructionTranslator)
        kept = getattr(cell, "captured", None) if inlined else None
        return kept if kept is not None else load(self, cell)

    NestedUserFunctionVariable.__init__ = capturing
    SideEffects.load_cell = captured


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
