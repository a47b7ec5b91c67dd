# judge: agree or unstable
# backend: backends/other_kernels.py
# class: structure
# rule: monte_carlo
# construct: if on a comparison of two equal sums
# why: The branch taken decides how many outputs there are.
import torch


def make_inputs():
    x = torch.linspace(0.1, 3, 120)
    return (x, x.sum())


def program(x, total):
    if x.sum() == total:
        return x
    return x, total


COMPILE_OPTIONS = {"kernels": ["sum"]}
