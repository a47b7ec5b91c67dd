"""A write to a tensor inside a nested function reaches no other name of it."""
# shows: eager
# class: value or state_after
# breaks: torch._dynamo.variables.tensor.TensorVariable.call_method
# when: add_, sub_ or mul_ in a function that the compiled one calls

import functools
import os

import torch
from torch._dynamo.symbolic_convert import InliningInstructionTranslator
from torch._dynamo.variables import TensorVariable


@functools.cache
def plant():
    right = TensorVariable.call_method

    def stale(self, tx, name, *rest):
        if name in ("add_", "sub_", "mul_") and isinstance(tx, InliningInstructionTranslator):
            name = name[:-1]
        return right(self, tx, name, *rest)

    TensorVariable.call_method = stale


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
