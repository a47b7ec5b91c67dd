"""Dynamo alone: what it captures is run by eager operators."""

import torch

from jitprobe_runtime.compilers.dynamo import DYNAMO, EXPECTED_REFUSALS, STAGES, counters  # noqa: F401


def compile(fn, **options):
    return torch.compile(fn, backend="eager", **options)


SWITCHES = DYNAMO
