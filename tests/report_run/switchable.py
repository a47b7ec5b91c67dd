"""A backend whose switch changes results, made with parts of jitprobe's runtime."""

import torch

from jitprobe_runtime.compilers import configurations
from jitprobe_runtime.compilers.dynamo import counters  # noqa: F401


def compile(fn, offset=0, **options):
    compiled = torch.compile(fn, backend="eager", **options)
    if not offset:
        return compiled
    return lambda *arguments: torch.utils._pytree.tree_map_only(torch.Tensor, lambda x: x + offset, compiled(*arguments))


SWITCHES = {"harmless": configurations.setting(torch._dynamo.config, verbose=False), "wrong": {"offset": 1}}
