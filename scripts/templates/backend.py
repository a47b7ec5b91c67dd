"""@NAME@: what this compiler is."""

import torch

from jitprobe_runtime.dynamo import EXPECTED_REFUSALS, STAGES, counters  # noqa: F401


def compile(fn, **options):
    return torch.compile(fn, backend="@NAME@", **options)
