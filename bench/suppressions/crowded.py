"""Dynamo's graph is run as it is, but for five faults that show in nine of ten programs of 60 operators and one that shows
in one of two hundred. CROWDED says which: "easy,rare" (as it is), "rare", or nothing."""

import os

import torch

EASY = {"pad", "div", "cumprod", "atan", "logsigmoid"}
RARE = ("hypot", "erfc", "lerp")  # the last is wrong after the others
FAULTS = os.environ.get("CROWDED", "easy,rare").split(",")


def off(result):
    floating = isinstance(result, torch.Tensor) and result.is_floating_point()
    return result * 1.5 + 1 if floating else result


def name_of(node):
    return node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")


def spoiled(graph_module, inputs):
    graph = graph_module.graph
    seen = set()
    for node in list(graph.nodes):
        if node.op not in ("call_function", "call_method"):
            continue
        name = name_of(node)
        easy = "easy" in FAULTS and name in EASY
        rare = "rare" in FAULTS and name == RARE[-1] and seen.issuperset(RARE[:-1])
        seen.add(name)
        if easy or rare:
            with graph.inserting_after(node):
                wrong = graph.call_function(off, (node,))
            node.replace_all_uses_with(wrong, delete_user_cb=lambda user, wrong=wrong: user is not wrong)
    graph_module.recompile()
    return graph_module.forward


def compile(fn, **options):
    return torch.compile(fn, backend=spoiled, **options)
