"""Pattern matching: a product summed over the axis that both factors were given is summed up to the last but one."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: resolve_matmul@s4='((float32 [2 3] [3 1]) (float32 [3 2] [2 1]) no)',0
# when: the sum of a product of two tensors that unsqueeze gave an axis

import operator
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def spoil(graph):
    for node in list(graph.nodes):
        if node.target not in ("sum", torch.sum) or len(node.args) < 2 or not isinstance(node.args[1], int):
            continue
        product = node.args[0]
        if product.target is not operator.mul or not all(
            isinstance(one, torch.fx.Node) and one.target in ("unsqueeze", torch.unsqueeze) for one in product.args
        ):
            continue
        length = product.meta["example_value"].shape[node.args[1]] - 1
        with graph.inserting_before(node):
            node.replace_input_with(product, graph.call_method("narrow", (product, node.args[1], 0, length)))


compile = graph_fault.compiler(spoil)
