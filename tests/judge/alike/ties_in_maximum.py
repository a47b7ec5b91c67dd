# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: exact
# construct: max over a dimension, indices, with ties
# why: Nor at which of equal maxima the index points.
import torch


def make_inputs():
    return (torch.tensor([[1.0, 3.0, 3.0], [2.0, 2.0, 0.0]]),)


def program(x):
    return x.max(1)


COMPILE_OPTIONS = {"kernels": ["max"]}
