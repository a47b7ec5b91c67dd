# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: other_choices
# construct: NaN to int64
# why: Nor has NaN a value among the integers.
import torch


def make_inputs():
    return (torch.tensor([float("nan"), 2.0]),)


def program(x):
    return x.to(torch.int64)


COMPILE_OPTIONS = {"kernels": ["_to_copy"]}
