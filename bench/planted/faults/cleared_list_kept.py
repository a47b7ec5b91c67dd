"""Side effects: a list that ends up empty is not written back."""
# shows: eager
# class: state_after
# breaks: torch._dynamo.side_effects.SideEffects._get_modified_vars
# when: a list from outside is emptied

import functools
import os

import torch
from torch._dynamo.side_effects import SideEffects
from torch._dynamo.variables import ListVariable


@functools.cache
def plant():
    modified = SideEffects._get_modified_vars

    def fewer(self):
        return [one for one in modified(self) if not (isinstance(one, ListVariable) and not one.items)]

    SideEffects._get_modified_vars = fewer


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
