"""Index arithmetic: a negative index into a range counts from the stop, not from the last item."""
# shows: eager
# class: value
# breaks: torch._dynamo.variables.lists.RangeVariable.apply_index
# when: a negative index into a range with a step

import functools
import os

import torch
from torch._dynamo.variables.base import VariableTracker
from torch._dynamo.variables.lists import RangeVariable


@functools.cache
def plant():
    right = RangeVariable.apply_index

    def wrong(self, tx, index):
        if index < 0:
            return VariableTracker.build(tx, self.stop() + index * self.step())
        return right(self, tx, index)

    RangeVariable.apply_index = wrong


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
