# judge: agree or unstable
# backend: backends/other_kernels.py
# class: dtype
# rule: monte_carlo
# construct: if on a comparison of two equal sums, a cast in one branch
# why: The branch taken decides the dtype.
import torch


def make_inputs():
    x = torch.linspace(0.1, 3, 120)
    return (x, x.sum())


def program(x, total):
    if x.sum() == total:
        return x
    return x.double()


COMPILE_OPTIONS = {"kernels": ["sum"]}
