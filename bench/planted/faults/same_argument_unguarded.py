"""Alias analysis: a graph made for two arguments that are one tensor is used for two tensors."""
# shows: eager
# class: value or state_after
# breaks: torch._dynamo.guards.GuardBuilder.DUPLICATE_INPUT
# when: one tensor given twice, in a later call two

import functools
import os

import torch
from torch._dynamo.guards import GuardBuilder


@functools.cache
def plant():
    GuardBuilder.DUPLICATE_INPUT = lambda self, guard, source_b: None


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
