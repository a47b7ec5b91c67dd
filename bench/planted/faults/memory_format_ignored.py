"""Channels-last is ignored: is_contiguous answers for the plain layout whatever it is asked."""
# shows: eager
# class: value
# breaks: torch._dynamo.variables.tensor.TensorVariable.method_is_contiguous
# when: is_contiguous with a memory format

import functools
import os

import torch
from torch._dynamo.variables import TensorVariable


@functools.cache
def plant():
    right = TensorVariable.method_is_contiguous
    TensorVariable.method_is_contiguous = lambda self, tx, memory_format=None: right(self, tx)


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
