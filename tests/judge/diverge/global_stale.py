# judge: diverge
# backend: backends/guards.py
# class: value
# construct: global float, changed by before_call
# why: The constant was folded in.
import torch

scale = 1.0


def before_call(i):
    global scale
    scale = 1.0 + i


def make_inputs():
    return [(torch.arange(3.0),), (torch.arange(3.0),)]


def program(x):
    return x.atan() * scale


COMPILE_OPTIONS = {"fault": "global_values"}
