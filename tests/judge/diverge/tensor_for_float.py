# judge: diverge
# backend: backends/effects.py
# class: structure
# construct: tolist
# why: The program gives Python floats.
import torch


def make_inputs():
    return (torch.tensor([0.5, 1.5]),)


def program(x):
    return (x * 2).tolist()


COMPILE_OPTIONS = {"fault": "tensors_for_numbers"}
