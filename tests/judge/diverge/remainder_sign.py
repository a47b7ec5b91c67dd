# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: remainder of a negative float
# why: The result takes the sign of the divisor.
import torch


def make_inputs():
    return (torch.tensor([-5.5, 5.5, -1.25]), torch.tensor([3.0, 3.0, 2.0]))


def program(a, b):
    return torch.remainder(a, b)


COMPILE_OPTIONS = {"operator": "remainder", "fault": "fmod"}
