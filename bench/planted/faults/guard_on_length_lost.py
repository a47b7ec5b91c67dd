"""A guard is missing: a list that the function runs over may have grown."""
# shows: eager
# class: value
# breaks: torch._dynamo.guards.GuardBuilder.SEQUENCE_LENGTH
# when: a list argument is longer in a later call

import functools
import os

import torch
from torch._dynamo.guards import GuardBuilder


@functools.cache
def plant():
    GuardBuilder.SEQUENCE_LENGTH = lambda self, guard: None


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
