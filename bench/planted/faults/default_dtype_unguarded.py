"""The state that a graph was made under is not checked when it is used again."""
# shows: eager
# class: value or dtype or compiler_error or raises
# breaks: torch._dynamo.guards.GuardBuilder.GLOBAL_STATE
# when: the default dtype changes between calls

import functools
import os

import torch
from torch._dynamo.guards import GuardBuilder


@functools.cache
def plant():
    def unguarded(self, guard):
        self.check_fn_manager.global_state = self.check_fn_manager.output_graph.global_state_guard

    GuardBuilder.GLOBAL_STATE = unguarded


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
