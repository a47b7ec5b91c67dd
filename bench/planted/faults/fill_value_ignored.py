"""A non-default parameter is ignored: zip_longest fills with None."""
# shows: eager
# class: value or raises
# breaks: torch._dynamo.polyfills.itertools.zip_longest
# when: zip_longest with a fillvalue

import functools
import os

import torch
from torch._dynamo.polyfills import itertools as polyfills


def fills_with_none(*iterables, fillvalue=None):
    columns = [list(column) for column in iterables]
    for row in range(max(map(len, columns))):
        yield tuple(column[row] if row < len(column) else None for column in columns)


@functools.cache
def plant():
    polyfills.zip_longest.__wrapped__.__code__ = fills_with_none.__code__


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
