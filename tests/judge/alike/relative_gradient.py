# judge: agree or unstable
# backend: backends/other_kernels.py
# class: gradient
# rule: float64
# construct: gradient of log of a difference
# why: The gradient is the reciprocal of a number that cancelled.
import torch


def make_inputs():
    return (torch.linspace(3, 4, 6, requires_grad=True),)


def program(x):
    return torch.log((x + 0.001).exp() - x.exp())


COMPILE_OPTIONS = {"kernels": ["exp"]}
