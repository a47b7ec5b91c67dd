# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: mul of complex numbers
# why: The imaginary part has the wrong sign.
import torch


def make_inputs():
    return (torch.tensor([1 + 2j, 3 - 1j]), torch.tensor([0.5 + 1j, 2 + 2j]))


def program(a, b):
    return a * b


COMPILE_OPTIONS = {"operator": "mul", "fault": "conjugated"}
