# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: square, sum and square root of large numbers
# why: Eager overflows, and float64 has 5e20. Zero is neither.
import torch


def make_inputs():
    return (torch.tensor([3e20, 4e20]),)


def program(x):
    return (x * x).sum().sqrt()


COMPILE_OPTIONS = {"operator": "sqrt", "fault": "overflow_is_zero"}
