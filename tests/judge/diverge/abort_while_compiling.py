# judge: diverge
# backend: backends/ends.py
# class: death
# construct: fmod
# why: The compiler aborts.
import torch


def make_inputs():
    return (torch.tensor([5.0, 6.0]),)


def program(x):
    return torch.fmod(x, 4)


COMPILE_OPTIONS = {"fault": "abort_while_compiling"}
