# judge: agree
# backend: backends/exceptions.py
# class: error_class
# rule: eager_backward_fails
# construct: write to what backward needs
# why: Eager raises in backward, the compiler already in the call.
import torch


def make_inputs():
    return (torch.ones(2, requires_grad=True),)


def program(x):
    y = x.exp()
    z = y.sin()
    y.mul_(2)
    return z


COMPILE_OPTIONS = {"fault": "call_fails_for_backward"}
