# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: other_choices
# construct: float to int8 and int32 beyond their range
# why: What comes out is undefined; here it saturates.
import torch


def make_inputs():
    return (torch.tensor([3e9, -5e9, 1e20, 7.5]),)


def program(x):
    return x.to(torch.int32)


COMPILE_OPTIONS = {"kernels": ["_to_copy"]}
