"""Value ranges: the difference of two tensors that were computed apart is taken for one that is never 0."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: zero_garbage_here@s5=2726381431439087027,'([q r torch] "s = s - torch.where(((q.amin() - 3) != 0), (q[0, 0] - r), 0)")'
# when: a comparison of a difference with 0 by !=

import math
import operator
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def spoil(graph):
    for node in graph.nodes:
        difference = node.args[0] if node.target in (operator.ne, torch.ne) else None
        if not isinstance(difference, torch.fx.Node) or node.args[1] != 0:
            continue
        if difference.target in (operator.sub, torch.sub):
            node.args = (difference, math.inf)


compile = graph_fault.compiler(spoil)
