# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: float to int32, well in range
# why: Casts truncate; 2.75 is no borderline.
import torch


def make_inputs():
    return (torch.tensor([2.75, -1.75, 0.25]),)


def program(x):
    return x.to(torch.int32)


COMPILE_OPTIONS = {"operator": "_to_copy", "fault": "rounds"}
