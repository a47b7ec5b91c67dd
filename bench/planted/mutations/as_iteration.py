"""Iterators: map remembers what its function gave for the first item."""
# shows: eager
# class: value
# breaks: torch._dynamo.variables.iter.MapVariable.tp_iternext_impl
# step: as_iteration@s6:display 0=0,2
# when: map over more than one item

import functools
import os

import torch
from torch._dynamo.variables.iter import MapVariable


@functools.cache
def plant():
    right = MapVariable.tp_iternext_impl

    def remembered(self, tx):
        result = right(self, tx)
        self.remembered = getattr(self, "remembered", result)
        return self.remembered

    MapVariable.tp_iternext_impl = remembered


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
