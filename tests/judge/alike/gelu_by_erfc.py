# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: gelu through erfc
# why: Another formula of the same function.
import torch


def make_inputs():
    return (torch.linspace(-3, 3, 21),)


def program(x):
    return torch.nn.functional.gelu(x)


COMPILE_OPTIONS = {"kernels": ["gelu"]}
