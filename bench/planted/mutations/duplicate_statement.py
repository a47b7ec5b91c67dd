"""Common subexpressions: two equal writes in place are taken for one."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: duplicate_statement@s5='(1 no)',1
# when: the same write in place twice

import functools
import os

import torch
from torch._dynamo.output_graph import OutputGraph


def writes(node):
    return node.op == "call_method" and node.target.endswith("_") and not node.target.endswith("__")


def spoil(graph):
    seen = {}
    for node in list(graph.nodes):
        if not writes(node):
            continue
        first = seen.setdefault((node.target, *map(str, node.args), str(node.kwargs)), node)
        if first is not node:
            node.replace_all_uses_with(first)
            graph.erase_node(node)


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
