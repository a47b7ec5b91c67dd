# judge: agree or unstable
# backend: backends/other_kernels.py
# class: accepts
# rule: monte_carlo
# construct: operands of two dtypes behind an if on a comparison of two equal sums
# why: Whether the call is made that eager refuses depends on rounding.
import torch


def make_inputs():
    x = torch.linspace(0.1, 3, 120)
    return (x, x.sum())


def program(x, total):
    if x.sum() == total:
        return torch.cross(x[:3], x[:3].double(), dim=0)
    return x


COMPILE_OPTIONS = {"kernels": ["sum"]}
