"""Dynamo and AOTAutograd; then each graph, forward and backward, goes through an ordered list of torch's own graph
passes (the switches), and is run plainly. Some faults need two passes in one order.
"""

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._functorch.aot_autograd import make_boxed_func

from jitprobe_runtime import graph_passes
from jitprobe_runtime.dynamo import EXPECTED_REFUSALS, STAGES, counters  # noqa: F401


def compile(fn, passes=None, **options):
    names = graph_passes.DEFAULT if passes is None else passes

    def compiler(graph, inputs):
        return make_boxed_func(graph_passes.run_through(names, graph, inputs))

    return torch.compile(fn, backend=aot_autograd(fw_compiler=compiler, bw_compiler=compiler), **options)


SWITCHES = {name: {"passes": [name]} for name in graph_passes.PASSES}
