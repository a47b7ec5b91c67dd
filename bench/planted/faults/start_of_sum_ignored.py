"""A non-default parameter is ignored: sum of Python values begins with 0."""
# shows: eager
# class: value
# breaks: torch._dynamo.polyfills.builtins.sum
# when: sum with a start

import functools
import operator
import os

import torch
from torch._dynamo.polyfills import builtins


def begins_with_nothing(iterable, /, start=0):
    return functools.reduce(operator.add, iterable, 0)


@functools.cache
def plant():
    builtins.sum.__wrapped__.__code__ = begins_with_nothing.__code__


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
