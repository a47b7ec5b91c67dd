# judge: diverge
# backend: backends/guards.py
# class: value
# construct: closure cell, changed between calls
# why: The cell's content was folded in.
import torch


def make():
    offset = 1.0

    def inner(x):
        return x.acosh() + offset

    def change(value):
        nonlocal offset
        offset = value

    return inner, change


program, change = make()


def before_call(i):
    change(float(i))


def make_inputs():
    return [(torch.tensor([2.0]),), (torch.tensor([2.0]),)]


COMPILE_OPTIONS = {"fault": "closures"}
