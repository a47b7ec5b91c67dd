# judge: diverge
# backend: backends/gradients.py
# class: requires_grad
# construct: double, which gives a float64 tensor itself
# why: In the float64 run the argument requires gradients because double() gives it itself.
import torch


def make_inputs():
    return (torch.ones(3),)


def program(x):
    y = x.double().requires_grad_()
    return y.detach() + 1


COMPILE_OPTIONS = {"fault": "argument_requires_gradients"}
