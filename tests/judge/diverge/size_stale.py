# judge: diverge
# backend: backends/guards.py
# class: value
# construct: size in arithmetic, three shapes
# why: The shape is new, the number that came from it is not.
import torch


def make_inputs():
    return [(torch.ones(n),) for n in (3, 3, 5)]


def program(x):
    return x.new_full((2,), 1.0) / x.shape[0], x.shape[0]


COMPILE_OPTIONS = {"fault": "sizes"}
