"""Operators by their overload: torch.ops.aten.sub takes its operands in the other order."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: spelling@s4='(tensor yes yes (float32 [2 3] [3 1]))',6
# when: a difference as torch.ops.aten.sub or one of its overloads

import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def spoil(graph):
    for node in graph.nodes:
        if str(node.target).startswith("aten.sub") and len(node.args) == 2 and not node.kwargs:
            if all(isinstance(one, torch.fx.Node) for one in node.args):
                node.args = (node.args[1], node.args[0])


compile = graph_fault.compiler(spoil)
