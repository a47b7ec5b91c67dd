# judge: diverge
# backend: backends/guards.py
# class: value
# construct: getattr with a default
# why: The attribute was absent in the first call, and stays so.
from types import SimpleNamespace

import torch


def make_inputs():
    return [(SimpleNamespace(), torch.ones(2)), (SimpleNamespace(shift=4.0), torch.ones(2))]


def program(thing, x):
    return x - getattr(thing, "shift", 0.0)


COMPILE_OPTIONS = {"fault": "added_attributes"}
