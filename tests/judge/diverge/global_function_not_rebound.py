# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: global statement that binds a function
# why: The name is bound to the other function in eager.
import torch


def make_inputs():
    return (torch.ones(3),)


def shifted(x):
    return x + 1


def scaled(x):
    return x * 3


current = shifted


def program(x):
    global current
    current = scaled
    return x.cosh()


COMPILE_OPTIONS = {"fault": "global_functions_kept"}
