# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: exp2, wrong where the argument is exactly zero
# why: Only one special value is wrong, by half a percent: other values would not show it.
import torch


def make_inputs():
    return (torch.tensor([0.0, 1.0, 2.5]),)


def program(x):
    return torch.exp2(x)


COMPILE_OPTIONS = {"operator": "exp2", "fault": "wrong_at_one"}
