"""Global state that a call may leave behind, as text: core/observation.h, CallRecord::mode."""

import torch

from ..compat import eager
from . import generators

_tiny = torch.tensor([1e-310], dtype=torch.float64, device="cpu")


def _flushes_denormals():
    return (_tiny * 1.0).item() == 0.0


def snapshot(moved_to=""):
    """{name: text} in the order of reading. No torch function mode or dispatch mode may be active. `moved_to`: the default
    device of a run that was moved, as text. That, and the function mode which makes it the default, are read as they would
    be on the CPU."""
    default_device = str(torch.get_default_device())
    return {
        "default_dtype": str(torch.get_default_dtype()),
        "default_device": "cpu" if default_device == moved_to else default_device,
        "grad": str(torch.is_grad_enabled()),
        "inference": str(torch.is_inference_mode_enabled()),
        "autocast": str(torch.is_autocast_enabled("cpu")),
        "autocast_dtype": str(torch.get_autocast_dtype("cpu")),
        "autocast_cuda": str(torch.is_autocast_enabled("cuda")),
        "autocast_cache": str(torch.is_autocast_cache_enabled()),
        "deterministic": str(torch.are_deterministic_algorithms_enabled()),
        "deterministic_warns": str(torch.is_deterministic_algorithms_warn_only_enabled()),
        "anomaly": str(torch.is_anomaly_enabled()),
        "matmul_precision": torch.get_float32_matmul_precision(),
        "multithreading": str(eager.is_multithreading_enabled()),
        "threads": str(torch.get_num_threads()),
        "flush_denormal": str(_flushes_denormals()),
        "function_modes": str(eager.function_mode_count() - bool(moved_to)),
        "dispatch_modes": str(eager.dispatch_mode_count()),
        **generators.global_states(),
    }
