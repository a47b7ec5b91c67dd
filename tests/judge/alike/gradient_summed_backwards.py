# judge: agree
# backend: backends/other_kernels.py
# class: gradient
# rule: tolerance
# construct: gradient of a broadcast scalar
# why: The sum over the broadcast is done from the other end.
import torch


def make_inputs():
    return (torch.tensor(0.3, requires_grad=True), torch.linspace(0.1, 3, 120))


def program(a, x):
    return a * x * x


COMPILE_OPTIONS = {"kernels": ["sum"]}
