"""Dead code: the write to an argument of no dimension is taken for dead."""
# shows: aot_eager
# class: state_after
# breaks: torch._dynamo.backends.debugging.boxed_nop
# when: an argument of no dimension is written

import functools
import os

import torch
from torch._dynamo.backends import debugging


@functools.cache
def plant():
    compiler = debugging.boxed_nop

    def without_dead_code(graph, inputs):
        for node in graph.graph.find_nodes(op="call_function", target=torch.ops.aten.copy_.default):
            if not node.users and node.args[0].meta["val"].dim() == 0:
                graph.graph.erase_node(node)
        return compiler(graph, inputs)

    debugging.boxed_nop = without_dead_code


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
