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

_RELU = """import torch


def make_inputs():
    return (torch.tensor([-1.5, 0.25, 2.0, -0.125, 3.0]),)


def program(x):
    return torch.relu(x)
"""


def _planted(kind):
    return {"options": {"cpp.inject_relu_bug_TESTING_ONLY": kind}}


# Faults that Inductor plants for its own tests: (source, options of the compile call, what must be seen).
PROBES = {
    "planted accuracy": (_RELU, _planted("accuracy"), "differs"),
    "planted compile_error": (_RELU, _planted("compile_error"), "raises"),
    "planted runtime_error": (_RELU, _planted("runtime_error"), "fails"),
}
