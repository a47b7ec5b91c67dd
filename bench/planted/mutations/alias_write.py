"""Functionalization: what detach gives is taken for a copy, so that writes to it reach no other name."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: alias_write@s5:move=523197356250784763,'(r float32 no - [2 3])','(float32 [2 3] [3 1] no)','[s6]',1,13,0
# when: a write to what detach gave

import operator
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def writes(node):
    return node.op == "call_method" and node.target.endswith("_") or node.target is operator.setitem


def spoil(graph):
    for node in list(graph.nodes):
        if node.op == "call_method" and node.target == "detach" and any(writes(user) for user in node.users):
            with graph.inserting_after(node):
                copy = graph.call_method("clone", (node,))
            node.replace_all_uses_with(copy, delete_user_cb=lambda user: user is not copy)


compile = graph_fault.compiler(spoil)
