# judge: diverge
# backend: backends/effects.py
# class: value
# construct: Tensor.stride() returned
# why: Strides are weak, but here they are the program's result.
import torch


def make_inputs():
    return (torch.arange(6.0).reshape(2, 3).t(),)


def program(x):
    return x.stride(), x.is_contiguous()


COMPILE_OPTIONS = {"fault": "made_contiguous"}
