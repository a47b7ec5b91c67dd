# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: print of a shape
# why: What the program prints is part of what it does.
import torch


def make_inputs():
    return (torch.ones(2, 3),)


def program(x):
    print("shape", tuple(x.shape))
    return x.t()


COMPILE_OPTIONS = {"fault": "silent"}
