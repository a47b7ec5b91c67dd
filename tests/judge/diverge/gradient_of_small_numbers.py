# judge: diverge
# backend: backends/wrong_kernels.py
# class: gradient
# rule: small_numbers
# construct: cosh, gradient of numbers below the tolerance
# why: The gradient is twice what it should be, and less than the absolute part of the default tolerance.
import torch


def make_inputs():
    torch.manual_seed(1)
    return (torch.randn(6, requires_grad=True),)


def program(x):
    return (x * 2.5e-3).cosh()


COMPILE_OPTIONS = {"operator": "sinh", "fault": "doubled", "graph": "backward"}
