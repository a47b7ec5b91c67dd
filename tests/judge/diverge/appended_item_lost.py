# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: append to a global list
# why: The list is as long as before.
import torch

SEEN = []


def make_inputs():
    return (torch.arange(4.0),)


def program(x):
    SEEN.append(x.shape[0])
    return x * 2


COMPILE_OPTIONS = {"fault": "list_effects_lost"}
