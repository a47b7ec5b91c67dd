# judge: diverge
# backend: backends/guards.py
# class: value
# construct: transposed argument in the second call
# why: Memory is read in the order of the first call.
import torch


def make_inputs():
    return [(torch.arange(9.0).reshape(3, 3),), (torch.arange(9.0).reshape(3, 3).t(),)]


def program(x):
    return x.cummax(0)[0]


COMPILE_OPTIONS = {"fault": "strides"}
