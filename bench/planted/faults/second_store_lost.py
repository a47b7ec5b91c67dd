"""Side effects: of two writes to one attribute the first stays."""
# shows: eager
# class: state_after or value
# breaks: torch._dynamo.side_effects.SideEffects.store_attr
# when: a number is written to an attribute twice

import functools
import os

import torch
from torch._dynamo.side_effects import SideEffects
from torch._dynamo.variables import CellVariable, UserDefinedObjectVariable


@functools.cache
def plant():
    store = SideEffects.store_attr

    def once(self, item, name, value, *rest, **named):
        again = name in self.store_attr_mutations.get(item, {})
        if again and isinstance(item, UserDefinedObjectVariable) and value.is_python_constant():
            return
        store(self, item, name, value, *rest, **named)

    SideEffects.store_attr = once


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
