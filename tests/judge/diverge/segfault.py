# judge: diverge
# backend: backends/ends.py
# class: death
# construct: maximum
# why: The generated code reads memory that is not there.
import torch


def make_inputs():
    return (torch.ones(2), torch.zeros(2))


def program(a, b):
    return torch.maximum(a, b)


COMPILE_OPTIONS = {"fault": "segfault"}
