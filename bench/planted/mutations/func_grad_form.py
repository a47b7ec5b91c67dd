"""Functional derivatives: a value that leaves a level of gradients is taken for what it was computed from."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: func_grad_form@s4='([(p yes float32 [2 3] yes no no)] [(r yes float32 [2 3] yes no yes)])',4
# when: a function's own or auxiliary results behind torch.func.grad or vjp

import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def spoil(graph):
    for node in graph.nodes:
        if getattr(node.target, "__name__", "") != "_unwrap_for_grad" or not isinstance(node.args[0], torch.fx.Node):
            continue
        computed = node.args[0]
        read = [one for one in computed.all_input_nodes if isinstance(one.meta.get("example_value"), torch.Tensor)]
        if read and read[0].meta["example_value"].shape == computed.meta["example_value"].shape:
            node.args = (read[0], *node.args[1:])


compile = graph_fault.compiler(spoil)
