# judge: diverge
# backend: backends/wrong_kernels.py
# class: shape
# construct: amax, keepdim
# why: The dimension of size 1 belongs to the result.
import torch


def make_inputs():
    return (torch.arange(6.0).reshape(2, 3),)


def program(x):
    return x.amax(1, keepdim=True)


COMPILE_OPTIONS = {"operator": "amax", "fault": "squeezed"}
