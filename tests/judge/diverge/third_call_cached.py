# judge: diverge
# backend: backends/guards.py
# class: value
# construct: three calls with other elements
# why: The answer of the first call comes again.
import torch


def make_inputs():
    return [(torch.tensor([float(i)]),) for i in range(3)]


def program(x):
    return x.trunc()


COMPILE_OPTIONS = {"fault": "results"}
