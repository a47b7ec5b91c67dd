# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: float64
# construct: sum of large numbers that cancel
# why: The result is a thousandth of what was added, and both orders miss it alike.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(9)
    x = torch.randn(2000, generator=g) * 1e5
    return (torch.cat([x, -x * 0.9999]),)


def program(x):
    return x.mul(1.1).sum()


COMPILE_OPTIONS = {"kernels": ["sum"]}
