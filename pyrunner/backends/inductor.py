"""The default of torch.compile: Dynamo, AOTAutograd and Inductor with generated C++."""

import torch

from jitprobe_runtime.dynamo import EXPECTED_REFUSALS, STAGES, counters  # noqa: F401


def compile(fn, **options):
    return torch.compile(fn, **options)


# Options of the compile call that must not change a result.
CONFIGS = {
    "default": {},
    "dynamic": {"dynamic": True},
    "static": {"dynamic": False},
    "fallback_random": {"options": {"fallback_random": True}},
    "casts": {"options": {"emulate_precision_casts": True}},
    "scalar": {"options": {"cpp.simdlen": 1}},
    "unfused": {"options": {"max_fusion_size": 1}},
    "freezing": {"options": {"freezing": True}},
    "wrapper": {"options": {"cpp_wrapper": True}},
}

# Faults that Inductor plants for its own tests: option value -> what a run of relu must show.
PROBES = ("accuracy", "compile_error", "runtime_error")
