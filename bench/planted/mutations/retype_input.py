"""Promotion: a difference of unsigned bytes stops at 0 instead of wrapping."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: retype_input@s2:0.0='[(tensor int64 [2 3] no no)]',0,4,2421014376679453103,'(uint8 [0])',2
# when: a difference of uint8 below 0

import operator
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def spoil(graph):
    for node in list(graph.nodes):
        read = node.args[0] if node.target is operator.sub else None
        if not isinstance(read, torch.fx.Node) or node.meta["example_value"].dtype is not torch.uint8:
            continue
        with graph.inserting_before(node):
            wide = graph.call_function(operator.sub, (graph.call_method("long", (read,)), node.args[1]))
            clamped = graph.call_method("clamp", (wide, 0))
            node.replace_all_uses_with(graph.call_method("to", (clamped, torch.uint8)))


compile = graph_fault.compiler(spoil)
