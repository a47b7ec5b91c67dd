# judge: agree
# backend: backends/other_kernels.py
# class: state_after
# rule: tolerance
# construct: float attribute set from item()
# why: A Python float that comes from a float32 tensor.
from types import SimpleNamespace

import torch


def make_inputs():
    return (SimpleNamespace(loss=0.0), torch.linspace(0.1, 3, 120))


def program(thing, x):
    thing.loss = x.sum().item()
    return x[:2]


COMPILE_OPTIONS = {"kernels": ["sum"]}
