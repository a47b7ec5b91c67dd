"""Higher-order operators: of what a while_loop carries, the tensors come out as they went in."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: while_loop_form@s4='([(p yes float32 [2 3] yes no no)] [(r yes float32 [2 3] yes no yes)])',2,2,0
# when: torch's while_loop that carries a tensor with dimensions

import operator
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def spoil(graph):
    for node in graph.nodes:
        loop = node.args[0] if node.target is operator.getitem else None
        if not isinstance(loop, torch.fx.Node) or "while_loop" not in str(loop.target):
            continue
        carried = loop.args[2][node.args[1]]
        if carried.meta["example_value"].dim():
            node.replace_all_uses_with(carried)


compile = graph_fault.compiler(spoil)
