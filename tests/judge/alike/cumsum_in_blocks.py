# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: cumsum in blocks of five
# why: A parallel scan adds partial sums.
import torch


def make_inputs():
    return (torch.linspace(0.1, 0.9, 33),)


def program(x):
    return torch.cumsum(x, 0)


COMPILE_OPTIONS = {"kernels": ["cumsum"]}
