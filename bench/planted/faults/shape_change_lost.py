"""An argument whose shape was changed in place has its old shape after the call."""
# shows: aot_eager
# class: state_after or shape
# breaks: torch._functorch._aot_autograd.runtime_wrappers._RuntimeForwardEpilogue._apply_input_mutations
# when: a metadata operator in place on an argument

import functools
import os

import torch
from torch._functorch._aot_autograd.runtime_wrappers import _RuntimeForwardEpilogue


@functools.cache
def plant():
    apply = _RuntimeForwardEpilogue._apply_input_mutations

    def forgetful(self, old, new):
        shapes = {i: (one.size(), one.stride(), one.storage_offset()) for i, one in old.items()}
        apply(self, old, new)
        for i in self.runtime_metadata.mutated_inp_runtime_indices:
            if not self.runtime_metadata.input_info[i].mutates_data:
                old[i].as_strided_(*shapes[i])

    _RuntimeForwardEpilogue._apply_input_mutations = forgetful


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
