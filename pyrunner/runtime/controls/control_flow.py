"""torch's control flow (cond, while_loop, map, scan) under a dispatch mode of ours: eager runs the operator as without
the mode, and what its functions call goes through the mode."""

import torch

from ..compat import eager


def is_control_flow(function):
    return isinstance(function, eager.HigherOrderOperator)


def run(mode, function, arguments, keywords):
    """The operator's own eager kernel, from inside the mode's __torch_dispatch__; NotImplemented where it has none."""
    kernel = function.py_kernels.get(eager.eager_kernel_key)
    if kernel is None:
        return NotImplemented
    return kernel(*(_under(mode, item) for item in arguments), **keywords)


def _under(mode, item):
    # The kernels themselves refuse to run under a mode.
    if isinstance(item, torch.Tensor) or not callable(item):
        return item

    def called(*arguments):
        with mode:
            return item(*arguments)

    return called
