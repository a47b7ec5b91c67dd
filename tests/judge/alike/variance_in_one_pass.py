# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: var in one pass, centred data
# why: Sums of squares suffice where the mean is near zero.
import torch


def make_inputs():
    return (torch.linspace(-2, 2.2, 60),)


def program(x):
    return torch.var(x)


COMPILE_OPTIONS = {"kernels": ["var"]}
