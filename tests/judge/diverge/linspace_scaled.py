# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: linspace
# why: Its elements are off by far more than the rounding of steps and ends.
import torch


def make_inputs():
    return (torch.ones(101),)


def program(x):
    return torch.linspace(-1, 1, 101) * x


COMPILE_OPTIONS = {"operator": "linspace", "fault": "scaled"}
