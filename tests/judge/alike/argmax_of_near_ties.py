# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: argmax over sums that nearly tie
# why: The sums are permutations of each other, and only rounding decides.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(11)
    x = torch.rand(50, generator=g)
    return (torch.stack([x[torch.randperm(50, generator=g)] for _ in range(8)]),)


def program(x):
    return x.sum(1).argmax()


COMPILE_OPTIONS = {"kernels": ["sum"]}
