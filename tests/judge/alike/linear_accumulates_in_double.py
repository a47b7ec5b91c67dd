# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: linear with bias
# why: Accumulates in float64 and rounds once.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(4)
    return (torch.randn(5, 30, generator=g), torch.randn(6, 30, generator=g), torch.randn(6, generator=g))


def program(x, weight, bias):
    return torch.nn.functional.linear(x, weight, bias)


COMPILE_OPTIONS = {"kernels": ["addmm"]}
