"""Calls: what *args of a wrapper gathered is passed on in the other order."""
# shows: eager
# class: value
# breaks: torch._dynamo.variables.functions.NestedUserFunctionVariable.bind_args
# step: extract_decorator@s5='([] [s])',3,2,0,0,3,1,0
# when: a nested function with *args and **kwargs that is given two arguments

import functools
import os

import torch
from torch._dynamo.variables.functions import NestedUserFunctionVariable


@functools.cache
def plant():
    right = NestedUserFunctionVariable.bind_args
    gathers = 0x04 | 0x08

    def turned(self, parent, args, kwargs):
        if self.get_code().co_flags & gathers == gathers and self.get_code().co_argcount == 0 and len(args) == 2:
            args = [args[1], args[0]]
        return right(self, parent, args, kwargs)

    NestedUserFunctionVariable.bind_args = turned


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
