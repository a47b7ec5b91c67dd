# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: add_ on an argument
# why: The result is right, the argument is not written.
import torch


def make_inputs():
    return (torch.zeros(3),)


def program(x):
    x.add_(5)
    return x.sum()


COMPILE_OPTIONS = {"fault": "inputs_copied"}
