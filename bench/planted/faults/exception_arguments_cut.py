"""Exception handling: of the arguments of an exception the handler sees the first."""
# shows: eager
# class: value or structure or raises
# breaks: torch._dynamo.variables.misc.ExceptionVariable.var_getattr
# when: a handler reads args of an exception that has several

import functools
import os

import torch
from torch._dynamo.variables.base import VariableTracker
from torch._dynamo.variables.misc import ExceptionVariable


@functools.cache
def plant():
    right = ExceptionVariable.var_getattr

    def cut(self, tx, name):
        if name == "args":
            return VariableTracker.build(tx, tuple(self.args[:1]))
        return right(self, tx, name)

    ExceptionVariable.var_getattr = cut


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
