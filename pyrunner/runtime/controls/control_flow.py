"""Runs torch's control flow operators (cond, while_loop, map, scan) under a dispatch mode of the runtime: eager runs
the operator as it does without the mode, and the operators that its functions call go through the mode."""

import torch

from ..compat import eager


def is_control_flow(function):
    return isinstance(function, eager.HigherOrderOperator)


def run(mode, function, arguments, keywords):
    """Calls the operator's own eager kernel from inside the mode's __torch_dispatch__; NotImplemented if it has
    none."""
    kernel = function.py_kernels.get(eager.eager_kernel_key)
    if kernel is None:
        return NotImplemented
    return kernel(*(_under(mode, item) for item in arguments), **keywords)


def _under(mode, item):
    # The kernels themselves reject an active mode, so the mode is entered inside the functions that they call.
    if isinstance(item, torch.Tensor) or not callable(item):
        return item

    def called(*arguments):
        with mode:
            return item(*arguments)

    return called
