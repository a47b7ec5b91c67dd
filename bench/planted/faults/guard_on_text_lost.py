"""A guard is missing: a text that the function was specialised on may change."""
# shows: eager
# class: value
# breaks: torch._dynamo.guards.GuardBuilder.EQUALS_MATCH
# when: a str argument differs in a later call

import functools
import os

import torch
from torch._dynamo.guards import GuardBuilder


@functools.cache
def plant():
    guarded = GuardBuilder.EQUALS_MATCH

    def unguarded(self, guard, *rest, **named):
        if not isinstance(self.get(guard), str):
            guarded(self, guard, *rest, **named)

    GuardBuilder.EQUALS_MATCH = unguarded


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
