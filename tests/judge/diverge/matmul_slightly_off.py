# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: mm, float32 with values near a hundred
# why: Off by two in a hundred thousand: far beyond rounding, and far below what an eye sees.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(1)
    return (torch.rand(6, 16, generator=g) * 5, torch.rand(16, 5, generator=g) * 5)


def program(a, b):
    return a @ b


COMPILE_OPTIONS = {"operator": "mm", "fault": "scaled"}
