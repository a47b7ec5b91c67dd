# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: division by a constant three
# why: x / 3 as x * (1 / 3).
import torch


def make_inputs():
    return (torch.linspace(1, 50, 31),)


def program(x):
    return x / 3


COMPILE_OPTIONS = {"kernels": ["div"]}
