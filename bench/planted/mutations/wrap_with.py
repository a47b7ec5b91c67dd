"""Contexts: after a with of a class of the program's own gradients stay off."""
# shows: eager
# class: gradient or requires_grad or mode
# breaks: torch._dynamo.variables.ctx_manager.GenericContextWrappingVariable.exit
# step: wrap_with@s4='no',0,2,0,1,2,4,3
# when: a with whose context is no function of torch

import functools
import os

import torch
from torch._dynamo.variables.ctx_manager import GenericContextWrappingVariable, GradModeVariable


@functools.cache
def plant():
    right = GenericContextWrappingVariable.exit

    def exit(self, tx, *args):
        result = right(self, tx, *args)
        GradModeVariable.create(tx, False, initialized=True)
        return result

    GenericContextWrappingVariable.exit = exit


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
