"""Activation checkpointing: what a checkpointed function is called with loses its gradient."""
# shows: eager
# class: gradient or requires_grad
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: checkpoint@s4='once more',2,2
# when: a function called through torch.utils.checkpoint

import functools
import os

import torch
from torch._dynamo.output_graph import OutputGraph


def spoil(graph):
    for node in list(graph.nodes):
        if "checkpoint" not in str(node.target):
            continue
        for read in node.all_input_nodes:
            if isinstance(read.meta.get("example_value"), torch.Tensor):
                with graph.inserting_before(node):
                    node.replace_input_with(read, graph.call_method("detach", (read,)))


@functools.cache
def plant():
    compiler = OutputGraph.call_user_compiler

    def spoiled(self, module, *rest):
        spoil(module.graph)
        module.recompile()
        return compiler(self, module, *rest)

    OutputGraph.call_user_compiler = spoiled


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
