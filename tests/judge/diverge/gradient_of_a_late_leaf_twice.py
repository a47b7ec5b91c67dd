# judge: diverge
# backend: backends/later.py
# class: gradient
# construct: an argument that requires gradients from within the call on
# why: Before the call there was no leaf.
import torch


def make_inputs():
    return (torch.arange(3.0),)


def program(x):
    x.requires_grad_()
    return (x * x).cosh()


COMPILE_OPTIONS = {"fault": "product_gradients_twice"}
