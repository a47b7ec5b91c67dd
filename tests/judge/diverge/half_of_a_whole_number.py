# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: quotient by a power of two, as integers
# why: The quotient is exact, and so is the product with the reciprocal.
import torch


def make_inputs():
    return (torch.tensor([4.0, 8.0, 12.0, 20.0]),)


def program(x):
    return (x / 4).int()


COMPILE_OPTIONS = {"operator": "div", "fault": "doubled"}
