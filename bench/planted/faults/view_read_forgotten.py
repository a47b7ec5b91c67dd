"""Memory: an update is made in place although a view of the old values is read later."""
# shows: inductor
# class: value or state_after
# breaks: torch._inductor.fx_passes.reinplace.reinplace_inplaceable_ops_core
# when: index_put on a tensor of which a view is read later

import functools
import os

import torch
import inspect

from torch._inductor.fx_passes import reinplace


@functools.cache
def plant():
    source = inspect.getsource(reinplace.reinplace_inplaceable_ops_core)
    right = "def any_use_of_views_after_node(node, shared_view_nodes, *, copy_node, mutated_arg):"
    assert right in source
    source = source.replace(right, right + "\n        return False\n")
    exec("from __future__ import annotations\n" + source, vars(reinplace))


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="inductor", **options)
