# judge: diverge
# backend: backends/exceptions.py
# class: accepts
# construct: index out of range
# why: Eager raises; the compiled function gives something.
import torch


def make_inputs():
    return (torch.ones(3), torch.tensor([0, 7]))


def program(x, index):
    return x[index]


COMPILE_OPTIONS = {"fault": "swallowed"}
