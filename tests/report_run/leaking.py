"""A backend that leaves something behind: with the fault, torch.relu is another function once it has compiled."""

import os

import torch


def compile(fn, **options):
    if os.environ.get("FAULT") == "leak":
        torch.Tensor.__mul__ = lambda x, y: torch.add(torch.mul(x, y), 1)
    return torch.compile(fn, backend="eager", **options)
