# judge: diverge
# backend: backends/effects.py
# class: value
# construct: f-string of a size
# why: "n=3" and "n=3.0" are the same number and not the same text.
import torch


def make_inputs():
    return (torch.ones(3),)


def program(x):
    return f"n={x.numel()}", x.cosh()


COMPILE_OPTIONS = {"fault": "integers_shown_as_floats"}
