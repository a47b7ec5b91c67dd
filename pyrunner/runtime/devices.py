"""Devices that a run can request. The zygote never initialises CUDA; a child does so if its run needs it."""

import torch

from .compilers.registry import Unusable


def need(device):
    """Raises Unusable if this process has no such device."""
    if device == "cpu":
        return
    if device != "cuda":
        raise Unusable(f"there is no device '{device}': it must be cpu or cuda")
    if torch.version.cuda is None:
        raise Unusable(
            f"torch {torch.__version__} is built without CUDA: give a Python whose torch has it, or --device cpu"
        )
    if not torch.cuda.is_available():
        raise Unusable(
            "torch sees no GPU on this machine: check the driver and CUDA_VISIBLE_DEVICES, or use --device cpu"
        )
