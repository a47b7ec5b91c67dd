# judge: diverge
# backend: backends/gradients.py
# class: gradient
# construct: leaf used twice
# why: The gradient is accumulated once too often.
import torch


def make_inputs():
    return (torch.tensor([0.5, 1.5], requires_grad=True),)


def program(x):
    return x.square() + x


COMPILE_OPTIONS = {"fault": "one_gradient_twice"}
