"""Constant folding: numbers written in a tensor's literal are kept in half precision."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: input_to_constant@s2:0.1='[(tensor float32 [3] no no) (tensor float32 [3] no no)]','[0.1, 0.2, 0.3]',1,0
# when: torch.tensor of fractions that a half can't hold

import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def halved(items):
    if isinstance(items, (list, tuple)):
        return [halved(item) for item in items]
    return float(torch.tensor(items, dtype=torch.float16)) if isinstance(items, float) else items


def spoil(graph):
    for node in graph.nodes:
        if node.op == "call_function" and getattr(node.target, "__name__", "") == "tensor" and node.args:
            node.args = (halved(node.args[0]), *node.args[1:])


compile = graph_fault.compiler(spoil)
