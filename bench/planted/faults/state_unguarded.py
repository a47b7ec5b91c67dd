"""The state that a graph was made under is not checked when it is used again."""
# shows: eager
# class: value
# breaks: torch._dynamo.guards.GuardBuilder.GLOBAL_STATE and DETERMINISTIC_ALGORITHMS
# when: a global mode of torch changes between calls

import functools
import os

import torch
from torch._dynamo.guards import GuardBuilder


@functools.cache
def plant():
    def unguarded(self, guard):
        self.check_fn_manager.global_state = self.check_fn_manager.output_graph.global_state_guard

    GuardBuilder.GLOBAL_STATE = unguarded
    GuardBuilder.DETERMINISTIC_ALGORITHMS = lambda self, guard: None


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
