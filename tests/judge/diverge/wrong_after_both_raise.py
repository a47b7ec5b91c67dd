# judge: diverge
# backend: backends/exceptions.py
# class: value
# construct: exception in the first call, wrong in the second
# why: Both raise in call one; call two stands on its own.
import torch


def make_inputs():
    return [(torch.ones(3), 4), (torch.ones(4), 4)]


def program(x, n):
    return x.view(n) * 2


COMPILE_OPTIONS = {"fault": "wrong_later"}
