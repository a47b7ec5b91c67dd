# judge: diverge
# backend: backends/guards.py
# class: value
# construct: scalar that is int, then float
# why: 2.5 is cut to the type of the first call.
import torch


def make_inputs():
    return [(torch.ones(2), 2), (torch.ones(2), 2.5)]


def program(x, n):
    return x + n


COMPILE_OPTIONS = {"fault": "number_types"}
