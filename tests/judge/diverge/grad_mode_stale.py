# judge: diverge
# backend: backends/guards.py
# class: requires_grad
# construct: second call under no_grad
# why: The result of the second call still asks for gradients.
import torch

X = torch.ones(2, requires_grad=True)


def before_call(i):
    torch.set_grad_enabled(i == 0)


def make_inputs():
    return [(X,), (X,)]


def program(x):
    return x.asinh()


COMPILE_OPTIONS = {"fault": "grad_mode"}
