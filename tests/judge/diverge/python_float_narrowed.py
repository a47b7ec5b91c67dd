# judge: diverge
# backend: backends/effects.py
# class: value
# construct: math.sqrt of Python floats
# why: Python's floats are double; this one went through float16.
import math

import torch


def make_inputs():
    return (10.0, torch.ones(2))


def program(a, x):
    return math.sqrt(a), x.clone()


COMPILE_OPTIONS = {"fault": "floats_narrowed"}
