# judge: agree or unstable
# backend: backends/other_kernels.py
# class: nonfinite
# rule: monte_carlo
# construct: addr of terms that cancel, division
# why: One divided by what is left, or by zero.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(4)
    a, b = torch.randn(6, generator=g), torch.randn(7, generator=g)
    return (a, b, -(a[:, None] * b))


def program(a, b, c):
    return 1 / torch.addr(c, a, b)


COMPILE_OPTIONS = {"kernels": ["addr"]}
