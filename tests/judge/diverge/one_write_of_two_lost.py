# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: copy_ between two arguments
# why: Two arguments are written, one keeps its old elements.
import torch


def make_inputs():
    return (torch.zeros(2, 2), torch.arange(4.0).reshape(2, 2))


def program(a, b):
    a.copy_(b.t())
    b.mul_(2)
    return a + b


COMPILE_OPTIONS = {"fault": "first_of_two_writes_lost"}
