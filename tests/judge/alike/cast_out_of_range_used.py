# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: other_choices
# construct: arithmetic with what a number out of range became
# why: Any integer may come out, and so may any third of it.
import torch


def make_inputs():
    return (torch.tensor([3e9, float("nan"), 9.0]),)


def program(x):
    whole = x.to(torch.int32)
    return whole // 3, whole > 5, x * (whole > 0)


COMPILE_OPTIONS = {"kernels": ["_to_copy"]}
