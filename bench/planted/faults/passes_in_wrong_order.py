"""Two passes, each right alone, in the wrong order: copies are removed, and only then updates are made in place."""
# shows: aot_eager
# class: value or state_after
# breaks: torch._dynamo.backends.debugging.boxed_nop
# when: a clone is updated while the original is read later

import functools
import os

import torch
from torch._dynamo.backends import debugging

aten = torch.ops.aten


def remove_copies(graph):
    """Right as long as the graph writes nothing."""
    for node in graph.find_nodes(op="call_function", target=aten.clone.default):
        if not node.kwargs and all(user.op != "output" for user in node.users):
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)


def update_in_place(graph):
    """Right as long as a copy is there to be written."""
    for node in graph.find_nodes(op="call_function", target=aten.index_put.default):
        node.target = aten.index_put_.default


@functools.cache
def plant():
    compiler = debugging.boxed_nop

    def in_wrong_order(graph, inputs):
        remove_copies(graph.graph)
        update_in_place(graph.graph)
        return compiler(graph, inputs)

    debugging.boxed_nop = in_wrong_order


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
