"""Higher-order operators: what a mapped function captures is given to it as its first item alone."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: scan_form@s4='(no (float32 [3 3] [3 1]) [(float32 [3 3] [3 1]) (float32 [3] [1])])',0,0
# when: torch's map of a function that captures a tensor as long as what is mapped

import os
import sys

import torch

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def spoil(graph):
    for node in list(graph.nodes):
        if node.op != "call_function" or "map" not in str(node.target) and "scan" not in str(node.target):
            continue
        captured = node.args[-1] if isinstance(node.args[-1], (list, tuple)) else ()
        for one in captured:
            value = one.meta.get("example_value") if isinstance(one, torch.fx.Node) else None
            if not isinstance(value, torch.Tensor) or not value.dim():
                continue
            with graph.inserting_before(node):
                first = graph.call_function(torch.narrow, (one, 0, 0, 1))
                expanded = graph.call_method("expand_as", (first, one))
                node.args = (*node.args[:-1], tuple(expanded if read is one else read for read in captured))
                captured = node.args[-1]


compile = graph_fault.compiler(spoil)
