# judge: diverge
# backend: backends/guards.py
# class: value
# construct: Python float, changed in the second call
# why: The second call computes with the first one's number.
import torch


def make_inputs():
    return [(torch.ones(3), 2.0), (torch.ones(3), 5.0)]


def program(x, a):
    return x.mul(a)


COMPILE_OPTIONS = {"fault": "arguments"}
