"""What faults share that spoil the graphs of Dynamo before its backend compiles them."""

import functools
import os

import torch
from torch._dynamo.output_graph import OutputGraph


def compiler(spoil):
    """A faulty compile function: `spoil` changes each graph in place. With PLANTED_FAULT=0 it is never called."""

    @functools.cache
    def plant():
        compiler = OutputGraph.call_user_compiler

        def spoiled(self, module, *rest):
            spoil(module.graph)
            module.recompile()
            return compiler(self, module, *rest)

        OutputGraph.call_user_compiler = spoiled

    def compile(fn, **options):
        if os.environ.get("PLANTED_FAULT") != "0":
            plant()
        return torch.compile(fn, backend="aot_eager", **options)

    return compile
