# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: exact
# construct: sort with stable=False and ties
# why: The order of ties is nobody's promise.
import torch


def make_inputs():
    return (torch.tensor([2, 1, 2, 1, 1]),)


def program(x):
    return torch.sort(x)


COMPILE_OPTIONS = {"kernels": ["sort"]}
