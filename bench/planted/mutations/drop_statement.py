"""Dead stores: of two writes in place to one tensor without a read in between the first is taken for dead."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: drop_statement@s7='yes'
# when: two writes in place, one right behind the other

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


def writes(node):
    return node.op == "call_method" and node.target.endswith("_") and not node.target.endswith("__")


def spoil(graph):
    before = None
    for node in list(graph.nodes):
        both = before is not None and writes(before) and writes(node)
        if both and before.args[0] is node.args[0] and not before.users:
            graph.erase_node(before)
        before = node


compile = graph_fault.compiler(spoil)
