"""Loop peeling: of the items that fill a new tensor the last one is not stored."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: unroll_elementwise@s4='(no (float32 [2 3] [3 1]) [(float32 [2 3] [3 1])])',0,2,1,1,1,2
# when: an empty tensor is filled item by item

import functools
import operator
import os

import torch
from torch._dynamo.output_graph import OutputGraph


def spoil(graph):
    stores = {}
    for node in graph.nodes:
        if node.target is operator.setitem and node.args[0].target in (torch.empty, torch.empty_like):
            stores.setdefault(node.args[0], []).append(node)
    for several in stores.values():
        if len(several) > 1:
            several[-1].args = (*several[-1].args[:2], several[-2].args[2])


@functools.cache
def plant():
    compiler = OutputGraph.call_user_compiler

    def spoiled(self, module, *rest):
        spoil(module.graph)
        module.recompile()
        return compiler(self, module, *rest)

    OutputGraph.call_user_compiler = spoiled


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
