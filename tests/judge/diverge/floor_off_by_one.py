# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: floor far from an integer
# why: 2.5 is far from both its neighbours.
import torch


def make_inputs():
    return (torch.tensor([2.5, -1.5, 0.5]),)


def program(x):
    return torch.floor(x + 0.0625).to(torch.int64)


COMPILE_OPTIONS = {"operator": "floor", "fault": "plus_one"}
