# judge: agree
# backend: backends/habits.py
# class: warnings
# rule: warnings
# construct: warnings.warn in two calls
# why: The second call keeps quiet.
import warnings

import torch


def make_inputs():
    return [(torch.ones(2),), (torch.ones(2),)]


def program(x):
    warnings.warn("this is slow")
    return x.log2()


COMPILE_OPTIONS = {"habit": "warns_once"}
