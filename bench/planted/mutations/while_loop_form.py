"""Higher-order operators: of what a while_loop carries, the tensors come out as they went in."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: while_loop_form@s4='([(p yes float32 [2 3] yes no no)] [(r yes float32 [2 3] yes no yes)])',2,2,0
# when: torch's while_loop that carries a tensor with dimensions

import functools
import operator
import os

import torch
from torch._dynamo.output_graph import OutputGraph


def spoil(graph):
    for node in graph.nodes:
        loop = node.args[0] if node.target is operator.getitem else None
        if not isinstance(loop, torch.fx.Node) or "while_loop" not in str(loop.target):
            continue
        carried = loop.args[2][node.args[1]]
        if carried.meta["example_value"].dim():
            node.replace_all_uses_with(carried)


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
