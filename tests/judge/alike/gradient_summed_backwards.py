# judge: agree
# backend: backends/other_kernels.py
# class: gradient
# rule: tolerance
# construct: gradient of a broadcast scalar
# why: The sum over the broadcast is done from the other end.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(15)
    return (torch.tensor(0.3, requires_grad=True), torch.rand(2000, generator=g) / 3)


def program(a, x):
    return a * x * x


COMPILE_OPTIONS = {"kernels": ["sum"]}
