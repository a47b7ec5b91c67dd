# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: float16 add in a chain
# why: Half types are coarse, but not as coarse as five in a hundred.
import torch


def make_inputs():
    return (torch.tensor([1.5, 2.25, -3.0, 8.0], dtype=torch.float16),)


def program(x):
    return (x * 0.5 + x) * 2


COMPILE_OPTIONS = {"operator": "add", "fault": "off_by_five_percent"}
