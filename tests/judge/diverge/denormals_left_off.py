# judge: diverge
# backend: backends/effects.py
# class: mode
# construct: flush-to-zero after the call
# why: All later arithmetic of the caller loses its smallest numbers.
import torch


def make_inputs():
    return (torch.ones(3),)


def program(x):
    return x.reciprocal()


COMPILE_OPTIONS = {"fault": "denormals_left_off"}
