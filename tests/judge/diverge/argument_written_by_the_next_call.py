# judge: diverge
# backend: backends/later.py
# class: state_after
# construct: the argument of the first call, looked at after the second
# why: The function never sees that tensor again, but its caller may.
import torch


def make_inputs():
    return [(torch.ones(3),), (torch.full((3,), 5.0),)]


def program(x):
    return x.asinh()


COMPILE_OPTIONS = {"fault": "arguments_reused"}
