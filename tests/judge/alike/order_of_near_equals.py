# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: argsort of sums that nearly tie
# why: The order is decided by rounding.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(12)
    x = torch.rand(40, generator=g)
    return (torch.stack([x[torch.randperm(40, generator=g)] for _ in range(9)]),)


def program(x):
    return torch.argsort(x.sum(1))


COMPILE_OPTIONS = {"kernels": ["sum"]}
