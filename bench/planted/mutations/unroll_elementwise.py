"""Loop peeling: of the items that fill a new tensor the last one is not stored."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: unroll_elementwise@s4='(no (float32 [2 3] [3 1]) [(float32 [2 3] [3 1])])',0,2,1,1,1,2
# when: an empty tensor is filled item by item

import operator
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def spoil(graph):
    stores = {}
    for node in graph.nodes:
        if node.target is operator.setitem and node.args[0].target in (torch.empty, torch.empty_like):
            stores.setdefault(node.args[0], []).append(node)
    for several in stores.values():
        if len(several) > 1:
            several[-1].args = (*several[-1].args[:2], several[-2].args[2])


compile = graph_fault.compiler(spoil)
