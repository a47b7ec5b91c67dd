"""Common subexpressions: two calls that differ in a keyword only are taken for one."""
# shows: aot_eager
# class: value or gradient
# breaks: torch._functorch.compile_utils.fx_graph_cse
# when: one operator twice on the same tensors, with another keyword, in a graph with gradients

import functools
import os

import torch
import inspect

from torch._functorch import compile_utils, partitioners


@functools.cache
def plant():
    source = inspect.getsource(compile_utils.fx_graph_cse)
    for right, wrong in (('"kwargs": kwargs,', '"kwargs": {},'), ("for a in kwargs)", "for a in ())")):
        assert right in source
        source = source.replace(right, wrong)
    exec("from __future__ import annotations\n" + source, vars(compile_utils))
    partitioners.fx_graph_cse = compile_utils.fx_graph_cse


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
