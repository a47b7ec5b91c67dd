# judge: diverge
# backend: backends/effects.py
# class: value
# construct: _version returned
# why: A version counter that the program returns is a number like another.
import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    y = x.clone()
    y.mul_(2)
    return y, y._version


COMPILE_OPTIONS = {"fault": "other_counter"}
