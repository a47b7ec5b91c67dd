"""Devices that a run can request. The zygote never initialises CUDA; a child does so if its run needs it.

Torch asks CUDA for its devices as soon as it compiles anything, and a process whose parent has asked can't use CUDA.
Therefore a zygote for runs on a GPU warms up as a torch without CUDA would, and its children find the GPU.
"""

import torch

from .compat import compiler, eager
from .compilers.registry import Unusable


def hide():
    """Until `show` is called, torch's Python finds no CUDA in this process and in its forks."""
    eager.hide_cuda(True)


def show():
    """Ends what `hide` began, if it did, and drops what the compiler has noted meanwhile."""
    if eager.hide_cuda(False) and compiler.imported():
        compiler.forget_devices()


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
