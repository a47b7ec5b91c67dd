# judge: diverge
# backend: backends/exceptions.py
# class: raises
# construct: backward of a cube
# why: The call is right, its backward raises.
import torch


def make_inputs():
    return (torch.tensor([1.0, 2.0], requires_grad=True),)


def program(x):
    return x * x * x


COMPILE_OPTIONS = {"fault": "backward_fails"}
