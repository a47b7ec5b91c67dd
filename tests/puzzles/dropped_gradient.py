"""Planted fault: the gradient through some operators is zero (values are right)."""

import os

import torch
from torch.overrides import TorchFunctionMode

NAMES = {"sigmoid", "tanh", "cat", "stack", "exp", "sin", "mul", "sub", "where", "softmax", "relu", "gelu"}
FAULT = os.environ.get("PUZZLE_FAULT", "1") == "1"


class DropGradient(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        name = getattr(function, "__name__", "")
        if FAULT and name in NAMES and isinstance(result, torch.Tensor):
            if result.requires_grad:
                return torch.where(torch.tensor(False), result, result.detach())
        return result


def compile(fn, **options):
    def compiled(*args, **kwargs):
        with DropGradient():
            return fn(*args, **kwargs)

    return compiled
