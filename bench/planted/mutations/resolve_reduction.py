"""Reassociation: of a sum of the items of one tensor the last one is lost."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: resolve_reduction@s4='(float32 [3 4] [4 1])',1,5
# when: items 0, 1, 2 … of a tensor are added one after the other

import operator
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def item(node):
    """(tensor, index), also of a copy of the item."""
    if isinstance(node, torch.fx.Node) and node.target == "clone":
        node = node.args[0]
    return node.args if isinstance(node, torch.fx.Node) and node.target is operator.getitem else None


def last_added(node):
    if isinstance(node, torch.fx.Node) and node.target in (operator.add, operator.iadd):
        return item(node.args[1])
    return item(node)


def spoil(graph):
    for node in list(graph.nodes):
        if node.target not in (operator.add, operator.iadd):
            continue
        before, now = last_added(node.args[0]), item(node.args[1])
        longer = any(user.target in (operator.add, operator.iadd) and last_added(user) for user in node.users)
        if before and now and before[0] is now[0] and isinstance(now[1], int) and not longer:
            node.replace_all_uses_with(node.args[0])


compile = graph_fault.compiler(spoil)
