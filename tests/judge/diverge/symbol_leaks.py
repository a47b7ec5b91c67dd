# judge: diverge
# backend: backends/effects.py
# class: structure
# construct: size as a Python int
# why: What comes out is the compiler's symbol, which prints like an integer.
import torch


def make_inputs():
    return (torch.ones(5, 2),)


def program(x):
    return x.shape[0] * x.dim()


COMPILE_OPTIONS = {"fault": "symbols_leak"}
