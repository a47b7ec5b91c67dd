"""Planted fault: writes to the arguments are not copied back."""

import os

import torch

FAULT = os.environ.get("PUZZLE_FAULT", "1") == "1"


def compile(fn, **options):
    def compiled(*args, **kwargs):
        if FAULT:
            # Leaves that require grad can't be written, and cloning them would move their gradients elsewhere.
            args = tuple(a.clone() if isinstance(a, torch.Tensor) and not a.requires_grad else a for a in args)
        return fn(*args, **kwargs)

    return compiled
