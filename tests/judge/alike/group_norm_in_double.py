# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: group_norm, statistics in float64
# why: Better statistics than eager's.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(7)
    return (torch.randn(2, 4, 9, generator=g), torch.rand(4, generator=g), torch.rand(4, generator=g))


def program(x, weight, bias):
    return torch.nn.functional.group_norm(x, 2, weight, bias)


COMPILE_OPTIONS = {"kernels": ["native_group_norm"]}
