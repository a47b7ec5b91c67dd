# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: prod of sixty factors
# why: Pairs of pairs instead of one after the other.
import torch


def make_inputs():
    return (torch.linspace(0.7, 1.33, 60),)


def program(x):
    return x.prod()


COMPILE_OPTIONS = {"kernels": ["prod"]}
