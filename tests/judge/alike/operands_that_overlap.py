# judge: agree
# backend: backends/habits.py
# class: value
# rule: other_choices
# construct: mul_ by a column of itself
# why: Eager's own result hangs on the order of its loop.
import torch


def make_inputs():
    return (torch.arange(1.0, 9.0).reshape(2, 4),)


def program(x):
    x.mul_(x[:, :1])
    return x.sum()


def lean(x):
    x.mul_(x[:, :1].clone())
    return x.sum()


COMPILE_OPTIONS = {"habit": "other_order"}
