# judge: diverge
# backend: backends/wrong_kernels.py
# class: dtype
# construct: cumsum of int8
# why: Torch promotes to int64.
import torch


def make_inputs():
    return (torch.tensor([1, 2, 3, 4], dtype=torch.int8),)


def program(x):
    return x.cumsum(0)


COMPILE_OPTIONS = {"operator": "cumsum", "fault": "narrow"}
