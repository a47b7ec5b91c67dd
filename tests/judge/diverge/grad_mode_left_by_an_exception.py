# judge: diverge
# backend: backends/exceptions.py
# class: mode
# construct: exception inside no_grad
# why: The block ends by the exception, and the mode with it.
import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    with torch.no_grad():
        raise ValueError("nothing to compute")


COMPILE_OPTIONS = {"fault": "grad_left_off"}
