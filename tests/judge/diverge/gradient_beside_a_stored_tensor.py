# judge: diverge
# backend: backends/gradients.py
# class: gradient
# construct: a product returned, and an exponential stored that is written to afterwards
# why: Eager can't run backward from what is stored, which says nothing of the output's gradient.
import torch

stored = []


def make_inputs():
    return (torch.tensor([3.0, 1.0], requires_grad=True),)


def program(x):
    y = x.exp()
    stored.append(y * 2)
    y.detach().add_(1)
    return x * 3


COMPILE_OPTIONS = {"fault": "one_gradient_twice"}
