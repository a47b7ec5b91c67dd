# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: cdist
# why: Sums of squared differences.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(8)
    return (torch.randn(4, 6, generator=g), torch.randn(5, 6, generator=g))


def program(a, b):
    return torch.cdist(a, b)


COMPILE_OPTIONS = {"kernels": ["_cdist_forward"]}
