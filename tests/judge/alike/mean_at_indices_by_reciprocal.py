# judge: unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: scatter_reduce to means of ones, as integers
# why: The sums are exact, and their products with the reciprocal are rounded.
import torch


def make_inputs():
    return (torch.tensor([0] * 41 + [1] * 47), torch.ones(88))


def program(index, x):
    return torch.zeros(2).scatter_reduce(0, index, x, "mean", include_self=False).long()


COMPILE_OPTIONS = {"kernels": ["scatter_reduce"]}
