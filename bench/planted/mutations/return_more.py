"""Memory: a product is written over its first factor when no other operator reads that, though it is an output."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: return_more@s6='[(p 2 yes yes) (q 2 yes yes) (r 2 yes yes) (s 2 yes yes)]',2,3,0,11,3,7,4,2,7,0,3
# when: an output is a factor of another output

import operator
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def spoil(graph):
    for node in list(graph.nodes):
        factor = node.args[0] if node.target in (operator.mul, torch.mul) else None
        if not isinstance(factor, torch.fx.Node) or factor.op == "placeholder":
            continue
        value, product = factor.meta["example_value"], node.meta["example_value"]
        same = value.shape == product.shape and value.dtype == product.dtype and not product.requires_grad
        if same and all(user is node or user.op == "output" for user in factor.users):
            node.op, node.target = "call_method", "mul_"


compile = graph_fault.compiler(spoil)
