"""Two planted faults: relu is off by a quarter, and tanh raises unless relu was called before it."""

import os

import torch
from torch.overrides import TorchFunctionMode

FAULT = os.environ.get("PUZZLE_FAULT", "1") == "1"


class OneHidesTheOther(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.relu_was_called = False

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        if FAULT and name == "tanh" and not self.relu_was_called:
            raise RuntimeError("tanh: no kernel was found")
        result = function(*args, **(kwargs or {}))
        if FAULT and name == "relu":
            self.relu_was_called = True
            return result + 0.25
        return result


def compile(fn, **options):
    def compiled(*args, **kwargs):
        with OneHidesTheOther():
            return fn(*args, **kwargs)

    return compiled
