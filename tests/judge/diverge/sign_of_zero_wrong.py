# judge: diverge
# backend: backends/other_kernels.py
# class: value
# construct: the reciprocal of a quotient's zero
# why: Of a quotient IEEE 754 says the sign.
import torch


def make_inputs():
    return (torch.tensor([0.0, 0.0]), torch.tensor([2.0, -3.0]))


def program(x, y):
    return 1 / (x / y)


COMPILE_OPTIONS = {"kernels": ["div:other_signs"]}
