"""Planted fault: an in-place write to a view of another tensor is lost."""

import os

import torch
from torch.overrides import TorchFunctionMode

FAULT = os.environ.get("PUZZLE_FAULT", "1") == "1"


class LoseWritesToViews(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        writes = name == "__setitem__" or (name.endswith("_") and not name.endswith("__"))
        target = args[0] if args else None
        if FAULT and writes and isinstance(target, torch.Tensor) and target._is_view() and name != "requires_grad_":
            with torch._C.DisableTorchFunction():
                lost = target.detach().clone()
            result = function(lost, *args[1:], **(kwargs or {}))
            return target if result is lost else result
        return function(*args, **(kwargs or {}))


def compile(fn, **options):
    def compiled(*args, **kwargs):
        with LoseWritesToViews():
            return fn(*args, **kwargs)

    return compiled
