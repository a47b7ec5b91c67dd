# judge: diverge
# backend: backends/effects.py
# class: value
# construct: the is operator between arguments
# why: Identity is weak, but the program asks for it and returns the answer.
import torch


def make_inputs():
    x = torch.ones(2)
    return (x, x)


def program(a, b):
    return a is b, a + b


COMPILE_OPTIONS = {"fault": "identity_lost"}
