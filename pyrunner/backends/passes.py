"""Dynamo and AOTAutograd; then each graph, forward and backward, goes through an ordered list of torch's own graph
passes (the switches), and is run plainly. Some faults need two passes in one order.
"""

import torch

from jitprobe_runtime.compat import compiler
from jitprobe_runtime.compilers import graph_passes
from jitprobe_runtime.compilers.dynamo import EXPECTED_REFUSALS, STAGES, counters  # noqa: F401


def compile(fn, passes=None, **options):
    names = graph_passes.DEFAULT if passes is None else passes

    def compile_graph(graph, inputs):
        return compiler.make_boxed_func(graph_passes.run_through(names, graph, inputs))

    return torch.compile(fn, backend=compiler.aot_autograd(fw_compiler=compile_graph, bw_compiler=compile_graph), **options)


SWITCHES = {name: {"passes": [name]} for name in graph_passes.PASSES}
