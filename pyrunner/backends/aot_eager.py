"""Dynamo and AOTAutograd: the functional forward and backward graphs are run by eager operators."""

import torch

from jitprobe_runtime.compilers.dynamo import AOT, EXPECTED_REFUSALS, STAGES, counters  # noqa: F401


def compile(fn, **options):
    return torch.compile(fn, backend="aot_eager", **options)


SWITCHES = AOT
