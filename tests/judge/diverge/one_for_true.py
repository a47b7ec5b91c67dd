# judge: diverge
# backend: backends/effects.py
# class: structure
# construct: isinstance and comparison of sizes, as bool
# why: True is no integer, though they compare equal.
import torch


def make_inputs():
    return (torch.ones(3, 1),)


def program(x):
    return x.squeeze(1), x.shape[0] > x.shape[1]


COMPILE_OPTIONS = {"fault": "ints_for_bools"}
