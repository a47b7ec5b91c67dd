"""Memory: a product is written over its first factor when nothing reads that name any more, though a view of it is."""
# shows: aot_eager
# class: value
# breaks: torch._dynamo.backends.debugging.boxed_nop
# when: a view of a product's factor is read after the product

import functools
import os

import torch
from torch._dynamo.backends import debugging

aten = torch.ops.aten


def fits(node, written):
    one, other = node.meta["val"], written.meta["val"]
    return one.shape == other.shape and one.dtype == other.dtype and other.is_contiguous()


@functools.cache
def plant():
    compiler = debugging.boxed_nop

    def reusing(graph, inputs):
        nodes = list(graph.graph.nodes)
        order = {node: i for i, node in enumerate(nodes)}
        for node in nodes:
            written = node.args[0] if node.target is aten.mul.Tensor else None
            # Forgotten: a view among the readers, which is read later.
            fresh = isinstance(written, torch.fx.Node) and written.target in (aten.exp.default, aten.cos.default)
            if fresh and fits(node, written) and all(order[user] <= order[node] for user in written.users):
                node.target = aten.mul_.Tensor
        return compiler(graph, inputs)

    debugging.boxed_nop = reusing


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
