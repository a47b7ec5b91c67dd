"""A guard is missing: an attribute that was absent when the function was compiled may be there now."""
# shows: eager
# class: value
# breaks: torch._dynamo.guards.GuardBuilder.HASATTR and NOT_PRESENT_IN_GENERIC_DICT
# when: hasattr or getattr with a default on an object that gets the attribute between calls

import functools
import os

import torch
from torch._dynamo.guards import GuardBuilder


@functools.cache
def plant():
    present = GuardBuilder.HASATTR

    def has(self, guard, attr=None):
        if hasattr(self.get(guard), attr):
            present(self, guard, attr)

    GuardBuilder.HASATTR = has
    GuardBuilder.NOT_PRESENT_IN_GENERIC_DICT = lambda self, guard, attr=None: None


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
