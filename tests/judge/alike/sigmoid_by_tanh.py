# judge: agree
# backend: backends/other_kernels.py
# class: gradient
# rule: tolerance
# construct: sigmoid by tanh, with gradients
# why: Values and gradients both move in their last bits.
import torch


def make_inputs():
    return (torch.linspace(-5, 5, 23, requires_grad=True),)


def program(x):
    return torch.sigmoid(x)


COMPILE_OPTIONS = {"kernels": ["sigmoid"]}
