# judge: agree or unstable
# backend: backends/other_kernels.py
# class: mode
# rule: monte_carlo
# construct: if on a comparison of two equal sums, a random number in one branch
# why: The branch taken decides whether a random number is drawn.
import torch


def make_inputs():
    x = torch.linspace(0.1, 3, 120)
    return (x, x.sum())


def program(x, total):
    if x.sum() == total:
        torch.rand(1)
    return x.neg()


COMPILE_OPTIONS = {"kernels": ["sum"]}
