# judge: diverge
# backend: backends/guards.py
# class: dtype
# construct: argument of another dtype in the second call
# why: The kernel for floats is used for integers.
import torch


def make_inputs():
    return [(torch.tensor([1.5, 2.5]),), (torch.tensor([1, 2]),)]


def program(x):
    return x.flip(0)


COMPILE_OPTIONS = {"fault": "dtypes"}
