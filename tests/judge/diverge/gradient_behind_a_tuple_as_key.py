# judge: diverge
# backend: backends/gradients.py
# class: gradient
# construct: output in a dict whose key is a tuple
# why: Backward runs through outputs wherever they are.
import torch


def make_inputs():
    return (torch.tensor([0.5, 2.0], requires_grad=True),)


def program(x):
    return {(0, 1): x.asinh()}


COMPILE_OPTIONS = {"fault": "one_gradient_twice"}
