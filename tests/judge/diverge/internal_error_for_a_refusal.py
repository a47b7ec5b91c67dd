# judge: diverge
# backend: backends/exceptions.py
# class: compiler_error
# construct: mm of shapes that don't fit
# oracle: rejects_alike
# why: The compiler's own exception is a RuntimeError, too, but it says nothing of the shapes.
import torch


def make_inputs():
    return (torch.ones(2, 3), torch.ones(2, 3))


def program(a, b):
    return torch.mm(a, b)


COMPILE_OPTIONS = {"fault": "internal_for_refusals"}
