"""Functionalization: what detach gives is taken for a copy, so that writes to it reach no other name."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: alias_write@s5:move=523197356250784763,'(r float32 no - [2 3])','(float32 [2 3] [3 1] no)','[s6]',1,13,0
# when: a write to what detach gave

import functools
import operator
import os

import torch
from torch._dynamo.output_graph import OutputGraph


def writes(node):
    return node.op == "call_method" and node.target.endswith("_") or node.target is operator.setitem


def spoil(graph):
    for node in list(graph.nodes):
        if node.op == "call_method" and node.target == "detach" and any(writes(user) for user in node.users):
            with graph.inserting_after(node):
                copy = graph.call_method("clone", (node,))
            node.replace_all_uses_with(copy, delete_user_cb=lambda user: user is not copy)


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
