# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: flip of small float16 numbers
# why: float16 below its smallest normal number is computed with as any other.
import torch


def make_inputs():
    return (torch.tensor([3e-5, 5e-5, 6e-5], dtype=torch.float16),)


def program(x):
    return x.flip(0)


COMPILE_OPTIONS = {"operator": "flip", "fault": "doubled"}
