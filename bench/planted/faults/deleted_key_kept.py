"""Side effects: keys that were deleted from a dict come back."""
# shows: eager
# class: state_after
# breaks: torch._dynamo.side_effects.SideEffects.codegen_update_mutated
# when: a dict from outside loses a key and gets one

import functools
import os

import torch
from torch._dynamo.side_effects import SideEffects
from torch._dynamo.variables import ConstDictVariable


@functools.cache
def plant():
    update = SideEffects.codegen_update_mutated

    def forgetful(self, *rest, **named):
        for one in self._get_modified_vars():
            if isinstance(one, ConstDictVariable):
                one.should_reconstruct_all = False
        return update(self, *rest, **named)

    SideEffects.codegen_update_mutated = forgetful


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
