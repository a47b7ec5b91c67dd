# judge: agree
# backend: backends/habits.py
# class: strides
# rule: strides
# construct: transpose, result laid out anew
# why: Strides are free.
import torch


def make_inputs():
    return (torch.arange(6.0).reshape(2, 3),)


def program(x):
    return x.t().abs()


COMPILE_OPTIONS = {"habit": "contiguous"}
