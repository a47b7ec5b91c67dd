"""Horizontal fusion: of one operator on items of one tensor, stacked, the last item is computed once too few."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: comprehend_elementwise@s5:0='(no (float32 [2 3] [3 1]) [(float32 [2 3] [3 1])])',0,2,0,0
# when: a stack of one operator on at least two items of one tensor

import operator
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def item_of(node):
    """(tensor, index) of the item that the node's operator reads."""
    read = node.all_input_nodes
    item = read[0] if len(read) == 1 and node.op != "placeholder" else None
    if item is None or item.target is not operator.getitem or not isinstance(item.args[1], int):
        return None
    return item.args


def spoil(graph):
    for node in graph.nodes:
        parts = list(node.args[0]) if node.target is torch.stack and isinstance(node.args[0], (list, tuple)) else []
        items = [item_of(part) for part in parts]
        alike = len({str(part.target) for part in parts}) == 1
        if len(parts) > 1 and alike and all(items) and len({item[0] for item in items}) == 1:
            node.args = ([*parts[:-1], parts[-2]], *node.args[1:])


compile = graph_fault.compiler(spoil)
