"""An output that is a view of an argument is made again without its place in the storage."""
# shows: aot_eager
# class: value
# breaks: torch._functorch._aot_autograd.runtime_wrappers.gen_alias_from_base
# when: a part of a transposed argument is an output

import functools
import os

import torch
from torch._functorch._aot_autograd import runtime_wrappers


@functools.cache
def plant():
    generate = runtime_wrappers.gen_alias_from_base

    def forgetful(base, *rest, **named):
        view = generate(base, *rest, **named)
        if view.dim() == 2 and not view.is_contiguous() and view.storage_offset() > base.storage_offset():
            return view.as_strided(view.size(), view.stride(), base.storage_offset())
        return view

    runtime_wrappers.gen_alias_from_base = forgetful


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
