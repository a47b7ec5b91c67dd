"""Activation checkpointing: what a checkpointed function is called with loses its gradient."""
# shows: eager
# class: gradient or requires_grad
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: checkpoint@s4='once more',2,2
# when: a function called through torch.utils.checkpoint

import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def spoil(graph):
    for node in list(graph.nodes):
        if "checkpoint" not in str(node.target):
            continue
        for read in node.all_input_nodes:
            if isinstance(read.meta.get("example_value"), torch.Tensor):
                with graph.inserting_before(node):
                    node.replace_input_with(read, graph.call_method("detach", (read,)))


compile = graph_fault.compiler(spoil)
