# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: clamp of uint8
# why: The upper bound is ignored.
import torch


def make_inputs():
    return (torch.tensor([3, 200, 90], dtype=torch.uint8),)


def program(x):
    return x.clamp(5, 100)


COMPILE_OPTIONS = {"operator": "clamp", "fault": "wraps"}
