"""Planted fault: a reduction of a narrow integer tensor gives int32 where torch promotes to int64."""

import os

import torch
from torch.overrides import TorchFunctionMode

FAULT = os.environ.get("PUZZLE_FAULT", "1") == "1"
PROMOTE = {"sum", "nansum", "prod", "cumsum", "cumprod", "trace"}
NARROW = {torch.int8, torch.int16, torch.int32, torch.uint8, torch.bool}


class ForgetPromotion(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if FAULT and getattr(function, "__name__", "") in PROMOTE and args[0].dtype in NARROW:
            if isinstance(result, torch.Tensor) and result.dtype == torch.int64:
                return result.to(torch.int32)
        return result


def compile(fn, **options):
    def compiled(*args, **kwargs):
        with ForgetPromotion():
            return fn(*args, **kwargs)

    return compiled
