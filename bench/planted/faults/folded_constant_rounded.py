"""Constant folding: a fraction that fills a tensor is folded to a whole number."""
# shows: inductor
# class: value
# breaks: torch._inductor.fx_passes.joint_graph.UniformValueConstantFolder.add_node_replacement
# when: an operation on a tensor filled with a fraction

import functools
import os

import torch
from torch._inductor.fx_passes.joint_graph import UniformValueConstantFolder


@functools.cache
def plant():
    right = UniformValueConstantFolder.add_node_replacement

    def wrong(self, node, tensor):
        right(self, node, tensor)
        value = self.node_replacements[node]
        if isinstance(value, float) and value > 5:
            self.node_replacements[node] = float(int(value))

    UniformValueConstantFolder.add_node_replacement = wrong


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="inductor", **options)
