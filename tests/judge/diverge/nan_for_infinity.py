# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: log of zero
# why: Eager gives -inf in every precision.
import torch


def make_inputs():
    return (torch.tensor([1.0, 0.0, 2.0]),)


def program(x):
    return torch.log(x)


COMPILE_OPTIONS = {"operator": "log", "fault": "nan_for_inf"}
