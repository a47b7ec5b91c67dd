"""Other strides of dimensions of one element: nothing lies a step further, so that torch itself takes any for equal."""

import functools
import inspect

import torch

_OTHERS = ("torch", "jitprobe_runtime")


class FreeStrides:
    """From start() to stop() what the program reads as a tensor's strides is another number where it doesn't matter: for
    each dimension of at most one element, and for all of an empty tensor. `number` tells runs apart."""

    def __init__(self, number):
        self._more = 13 * number + 1
        self._true = torch.Tensor.stride
        self._own = "stride" in vars(torch.Tensor)

    def start(self):
        true, more = self._true, self._more

        @functools.wraps(true)
        def stride(tensor, *which, **named):
            steps = true(tensor, *which, **named)
            if type(tensor) is not torch.Tensor or _is_of_others(inspect.currentframe().f_back):
                return steps
            where = which[0] if which else named.get("dim")
            free = tensor.numel() == 0
            if isinstance(steps, int):
                return steps + more if free or isinstance(where, int) and tensor.shape[where] <= 1 else steps
            return type(steps)(step + more if free or size <= 1 else step for size, step in zip(tensor.shape, steps))

        torch.Tensor.stride = stride

    def stop(self):
        if self._own:
            torch.Tensor.stride = self._true
        elif "stride" in vars(torch.Tensor):
            del torch.Tensor.stride


def _is_of_others(frame):
    return frame.f_globals.get("__name__", "").split(".")[0] in _OTHERS
