# judge: agree
# backend: backends/other_kernels.py
# class: denormal
# rule: denormal
# construct: product below the smallest normal number
# why: Flushed to zero.
import torch


def make_inputs():
    return (torch.tensor([1e-20, 2e-20, 1.0]),)


def program(x):
    return x * 1e-20


COMPILE_OPTIONS = {"kernels": ["mul:flushed"]}
