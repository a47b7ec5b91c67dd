"""Redundant stores: what was read from a place is not written back to it, whatever was written in between."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: mutate_recover@s7=1797772400223093621,'(s float32 yes - [2 3])',0,3,1,0,0,4,3
# when: a part is saved by clone, overwritten, and restored

import operator
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def saved_from(value):
    """(tensor, index) that a clone was made of."""
    if not isinstance(value, torch.fx.Node) or value.target not in ("clone", torch.clone):
        return None
    part = value.args[0]
    return part.args if part.target is operator.getitem else None


def spoil(graph):
    for node in list(graph.nodes):
        if node.target is operator.setitem and saved_from(node.args[2]) == tuple(node.args[:2]):
            graph.erase_node(node)


compile = graph_fault.compiler(spoil)
