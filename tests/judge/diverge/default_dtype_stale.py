# judge: diverge
# backend: backends/guards.py
# class: dtype
# construct: factory under another default dtype
# why: The second call makes float32.
import torch


def before_call(i):
    torch.set_default_dtype(torch.float32 if i == 0 else torch.float64)


def make_inputs():
    return [(3,), (3,)]


def program(n):
    return torch.ones(n).cumsum(0)


COMPILE_OPTIONS = {"fault": "default_dtype"}
