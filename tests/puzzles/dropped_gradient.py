"""Planted fault: the gradient through some operators is zero (values are right)."""

import os

import torch
from torch.overrides import TorchFunctionMode

FAULT = os.environ.get("PUZZLE_FAULT", "1") == "1"


class DropGradient(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        name = getattr(function, "__name__", "")
        if FAULT and name in {"sigmoid", "tanh", "cat", "stack"} and isinstance(result, torch.Tensor):
            if result.requires_grad:
                return result * 0 + result.detach()
        return result


def compile(fn, **options):
    def compiled(*args, **kwargs):
        with DropGradient():
            return fn(*args, **kwargs)

    return compiled
