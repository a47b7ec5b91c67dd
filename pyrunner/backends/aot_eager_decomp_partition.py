"""As aot_eager, with Inductor's decompositions and the min-cut partitioner."""

import torch

from jitprobe_runtime.compilers.dynamo import AOT, EXPECTED_REFUSALS, STAGES, counters  # noqa: F401


def compile(fn, **options):
    return torch.compile(fn, backend="aot_eager_decomp_partition", **options)


SWITCHES = AOT
