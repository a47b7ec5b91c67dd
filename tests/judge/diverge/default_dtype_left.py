# judge: diverge
# backend: backends/effects.py
# class: mode
# construct: default dtype set for a while
# why: Later tensors of the caller come out in float64.
import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    torch.set_default_dtype(torch.float16)
    y = torch.zeros(2)
    torch.set_default_dtype(torch.float32)
    return x.half() + y


COMPILE_OPTIONS = {"fault": "default_left_double"}
