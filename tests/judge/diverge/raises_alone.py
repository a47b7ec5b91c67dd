# judge: diverge
# backend: backends/exceptions.py
# class: raises
# construct: negative elements
# why: Only the compiled function raises.
import torch


def make_inputs():
    return (torch.tensor([1.0, -2.0]),)


def program(x):
    return x.relu()


COMPILE_OPTIONS = {"fault": "raises_for_negatives"}
