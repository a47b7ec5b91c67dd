# judge: unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: reciprocal of a sum
# why: In another order the sum is no zero.
import torch


def make_inputs():
    return (torch.tensor([-1.0, 1e8, 3.0, -1e8]),)


def program(x):
    return 1 / x.sum()


COMPILE_OPTIONS = {"kernels": ["sum"]}
