"""Fusion: a running sum of what was reversed runs backwards, and the reversal of its result is left out."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: splice@s5=2612804094800205616,'((p 0) ["$0$ = torch.cumsum($r$, 1)"])'
# when: cumsum of a flip

import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def spoil(graph):
    for node in graph.nodes:
        read = node.args[0] if node.target in ("cumsum", torch.cumsum) else None
        if isinstance(read, torch.fx.Node) and read.target in ("flip", torch.flip):
            node.args = (read.args[0], *node.args[1:])


compile = graph_fault.compiler(spoil)
