# judge: diverge
# backend: backends/later.py
# class: gradient
# construct: a tensor that a class has
# why: The leaf is found by the class alone.
import torch


class Scaled:
    factor = torch.full((3,), 2.0, requires_grad=True)


def make_inputs():
    return (torch.arange(3.0),)


def program(x):
    return x * Scaled.factor


COMPILE_OPTIONS = {"fault": "product_gradients_twice"}
