# judge: agree or unstable
# backend: backends/other_kernels.py
# class: state_after
# rule: monte_carlo
# construct: a vector that is returned as it is if its norm, rounded, is at most 1
# why: The branch hangs on the last digit of a sum.
import torch


def make_inputs():
    torch.manual_seed(27)
    x = torch.randn(100)
    return (x / x.norm(),)


def program(x):
    n = (x * x).sum().sqrt()
    return x if n <= 1 else x / n


COMPILE_OPTIONS = {"kernels": ["sum"]}
