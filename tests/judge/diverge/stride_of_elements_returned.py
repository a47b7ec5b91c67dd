# judge: diverge
# backend: backends/effects.py
# class: value
# construct: Tensor.stride of four elements beside one
# why: Where there is a second element, its distance is compared, whatever the other dimensions' strides are.
import torch


def make_inputs():
    return (torch.ones(4, 1),)


def program(x):
    return [x.t().stride(1), x.stride(1)]


COMPILE_OPTIONS = {"fault": "strides_doubled"}
