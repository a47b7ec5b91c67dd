# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: log_softmax without the maximum
# why: Small arguments need no shift.
import torch


def make_inputs():
    return (torch.linspace(-2, 2, 12).reshape(3, 4),)


def program(x):
    return torch.nn.functional.log_softmax(x, 1)


COMPILE_OPTIONS = {"kernels": ["_log_softmax"]}
