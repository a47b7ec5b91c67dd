# judge: diverge
# backend: backends/ends.py
# class: death
# construct: a helper process of the compiler
# why: The run goes on and its result is right, but a process of the compiler was ended by a signal.
# standalone: a process that the program starts is not looked at
import torch


def make_inputs():
    return (torch.tensor([0.25, 0.5]),)


def program(x):
    return torch.logit(x)


COMPILE_OPTIONS = {"fault": "helper_dies"}
