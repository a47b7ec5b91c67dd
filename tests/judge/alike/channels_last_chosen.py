# judge: agree
# backend: backends/habits.py
# class: strides
# rule: strides
# construct: relu6 in channels_last
# why: A compiler chooses the layout of what it makes.
import torch


def make_inputs():
    return (torch.linspace(-2, 9, 24).reshape(1, 2, 3, 4),)


def program(x):
    return torch.nn.functional.relu6(x)


COMPILE_OPTIONS = {"habit": "channels_last"}
