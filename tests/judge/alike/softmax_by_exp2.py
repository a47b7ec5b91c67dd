# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: softmax by powers of two
# why: The usual rewriting on machines that have exp2 alone.
import torch


def make_inputs():
    return (torch.linspace(-4, 4, 15).reshape(3, 5),)


def program(x):
    return torch.softmax(x, -1)


COMPILE_OPTIONS = {"kernels": ["_softmax"]}
