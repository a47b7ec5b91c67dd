# judge: diverge
# backend: backends/effects.py
# class: mode
# construct: no_grad block
# why: The caller's grad mode is another afterwards.
import torch


def make_inputs():
    return (torch.ones(2, requires_grad=True),)


def program(x):
    with torch.no_grad():
        return x.tan()


COMPILE_OPTIONS = {"fault": "grad_left_off"}
