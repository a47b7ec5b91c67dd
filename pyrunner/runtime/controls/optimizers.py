"""Optimizers that count their steps in tensors, as those of torch do when they are compiled: 1 - beta ** step is then
computed in the tensor's float32, and in eager with Python's numbers.

The two functions of torch's that say so are imported by name into the file of each optimizer. Therefore not they but their
code is another for a while; it runs with the globals of torch's file.
"""

import torch

from ..compat import eager


def _number_or_tensor(x):
    import inspect

    caller = inspect.currentframe().f_back
    while caller.f_code.co_name.startswith("<"):  # a comprehension
        caller = caller.f_back
    name = caller.f_code.co_name
    # The other optimizers over lists can't go on with tensors.
    counts = name.startswith("_single_tensor_") or name in ("_multi_tensor_adam", "_multi_tensor_nadam")
    return x if counts or not isinstance(x, torch.Tensor) else x.item()


def _stacked(x):
    return torch.stack(x) if isinstance(x[0], torch.Tensor) else x


class CountingInTensors:
    """From start() to stop() an optimizer of torch's goes on with the tensor that counts its steps, in place of the number in
    it."""

    def __init__(self):
        self._true = []

    def start(self):
        for function, code in zip(eager.optimizer_numbers, (_number_or_tensor.__code__, _stacked.__code__)):
            self._true.append((function, function.__code__))
            function.__code__ = code

    def stop(self):
        for function, code in self._true:
            function.__code__ = code
        self._true.clear()
