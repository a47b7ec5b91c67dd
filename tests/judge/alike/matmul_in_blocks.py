# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: mm in blocks of seven
# why: Blocked products add in another order.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(3)
    return (torch.rand(4, 40, generator=g), torch.rand(40, 4, generator=g))


def program(a, b):
    return torch.mm(a, b)


COMPILE_OPTIONS = {"kernels": ["mm:blocks"]}
