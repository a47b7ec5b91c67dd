# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: undefined_integers
# construct: left shift by forty bits of int32
# why: Undefined.
import torch


def make_inputs():
    return (torch.tensor([1, 2], dtype=torch.int32), torch.tensor([40, 3], dtype=torch.int32))


def program(x, bits):
    return torch.bitwise_left_shift(x, bits)


COMPILE_OPTIONS = {"kernels": ["bitwise_left_shift"]}
