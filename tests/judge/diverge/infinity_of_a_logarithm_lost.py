# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: log of zero, bounded
# why: The argument is bounded first. On other values, which have no zero, nothing differs.
import torch


def make_inputs():
    return (torch.tensor([0.0, 0.5, 2.3, 1.7]),)


def program(x):
    return torch.log(x)


COMPILE_OPTIONS = {"operator": "log", "fault": "no_infinity"}
