# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: rand with the dtype of an operand, and with out=
# why: A run in float64 must draw the same numbers, or it excuses whatever is computed from them.
import torch


def make_inputs():
    return (torch.linspace(-1, 1, 24),)


def program(x):
    return torch.floor(x * 8) + torch.rand(24, dtype=x.dtype) + torch.rand(24, out=torch.empty(24))


COMPILE_OPTIONS = {"operator": "floor", "fault": "plus_one"}
