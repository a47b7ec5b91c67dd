# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: cast to int16 of one element out of range and one within
# why: Only the element out of range is undefined.
import torch


def make_inputs():
    return (torch.tensor([1e20, 7.5]),)


def program(x):
    return x.to(torch.int32)


COMPILE_OPTIONS = {"operator": "_to_copy", "fault": "last_off"}
