# judge: diverge
# backend: backends/guards.py
# class: value
# construct: attribute of an argument, third call
# why: The first two calls agree, the third does not.
from types import SimpleNamespace

import torch


def make_inputs():
    return [(SimpleNamespace(power=p), torch.tensor([2.0, 3.0])) for p in (2, 2, 3)]


def program(thing, x):
    return x**thing.power


COMPILE_OPTIONS = {"fault": "object_attributes"}
