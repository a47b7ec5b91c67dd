# judge: agree
# backend: backends/habits.py
# class: warnings
# rule: warnings
# construct: a deprecation warning of the program's own
# why: Warnings are weak.
import warnings

import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    warnings.warn("use log10", DeprecationWarning, stacklevel=1)
    return x.log10()


COMPILE_OPTIONS = {"habit": "warns_otherwise"}
