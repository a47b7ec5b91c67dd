"""Devices that a run can request. The zygote never initialises CUDA; a child does so if its run needs it.

Torch asks CUDA for its devices as soon as it compiles anything, and a process whose parent has asked can't use CUDA.
Therefore a zygote for runs on a GPU warms up as a torch without CUDA would, and its children find the GPU.
"""

import os
import sys
import traceback

import torch

from .compat import compiler, eager
from .compilers.registry import Unusable
from .state import process

# What one process may take of a GPU's memory, in bytes; 0: all of it.
memory_bytes = 0


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


def prepare(device):
    """Makes the device ready for a run: float32 is computed as float32, and memory is limited. A program may change
    both, so each run does it anew."""
    if device == "cpu":
        return
    # By the older names, as a run's mode is read and put back: torch refuses to read what names of both kinds have set.
    # What an earlier program has set by the newer ones, which torch 2.11 has in part, is taken back first.
    for part in (torch.backends, torch.backends.cudnn):
        if hasattr(part, "fp32_precision"):
            part.fp32_precision = "none"
    torch.backends.cudnn.allow_tf32 = False
    torch.set_float32_matmul_precision("highest")
    if memory_bytes > 0:
        whole = torch.cuda.get_device_properties(torch.cuda.current_device()).total_memory
        torch.cuda.set_per_process_memory_fraction(min(1.0, memory_bytes / whole))


def wait():
    """Waits for the kernels of a run; raises what one of them failed with."""
    torch.cuda.synchronize()


def end_if_failed(error):
    """Ends the process as a crash does if a kernel has failed, because nothing that the run has made can be read."""
    if not process.gpu_failed():
        return
    traceback.print_exception(error, file=sys.__stderr__)
    sys.__stderr__.flush()
    os.abort()


def is_crowded():
    """Whether this process was denied memory that it may take, because others have it."""
    free, _ = torch.cuda.mem_get_info()
    return memory_bytes > 0 and free + torch.cuda.memory_reserved() < memory_bytes
