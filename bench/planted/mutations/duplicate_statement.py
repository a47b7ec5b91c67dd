"""Common subexpressions: two equal writes in place are taken for one."""
# shows: eager
# class: value
# breaks: the graph that Dynamo gives to its backend (torch._dynamo.output_graph.OutputGraph.call_user_compiler)
# step: duplicate_statement@s5='(1 no)',1
# when: the same write in place twice

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import graph_fault  # noqa: E402


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


compile = graph_fault.compiler(spoil)
