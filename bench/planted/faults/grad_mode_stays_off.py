"""A mode is not put back: no_grad inside no_grad leaves gradients off."""
# shows: eager
# class: requires_grad or gradient or mode
# breaks: torch._dynamo.variables.ctx_manager.GradModeVariable.exit
# when: no_grad within no_grad, then something that needs a gradient

import functools
import os

import torch
from torch._dynamo.variables.constant import ConstantVariable
from torch._dynamo.variables.ctx_manager import GradModeVariable


@functools.cache
def plant():
    right = GradModeVariable.exit
    depth = [0]
    enter = GradModeVariable.enter

    def deeper(self, tx):
        self.outer_was_off = not torch.is_grad_enabled()
        return enter(self, tx)

    def exit(self, tx, *args):
        result = right(self, tx, *args)
        if getattr(self, "outer_was_off", False) and self.target_values == [False]:
            tx.left_off = True
        elif getattr(tx, "left_off", False):
            self._call_func(tx, [False])
        return result

    GradModeVariable.enter = deeper
    GradModeVariable.exit = exit


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
