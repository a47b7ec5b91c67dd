"""Checks: a dimension beyond the last one is counted on from the first."""
# shows: eager
# class: exception
# breaks: torch._dynamo.variables.TensorVariable.call_method
# step: break_rule@s5:0='(tensor float32 [2] no no)',1
# when: a reduction with dim= out of range

import functools
import os

import torch
from torch._dynamo.variables import ConstantVariable, TensorVariable


@functools.cache
def plant():
    right = TensorVariable.call_method

    def wrapping(self, tx, name, args, kwargs):
        dim = kwargs.get("dim")
        if isinstance(dim, ConstantVariable) and isinstance(dim.value, int) and self.ndim and dim.value >= self.ndim:
            kwargs = kwargs | {"dim": ConstantVariable.create(dim.value % self.ndim)}
        return right(self, tx, name, args, kwargs)

    TensorVariable.call_method = wrapping


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
