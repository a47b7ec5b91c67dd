# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: other_choices
# construct: signbit, copysign and the bits of a NaN
# why: No number has it as its sign.
import torch


def make_inputs():
    return (torch.tensor([0.0, 2.0]), torch.tensor([0.0, 4.0]))


def program(x, y):
    quotient = x / y
    return torch.signbit(quotient), torch.copysign(x + 2, quotient), quotient.view(torch.int32)


COMPILE_OPTIONS = {"kernels": ["div:other_signs"]}
