# judge: diverge
# backend: backends/habits.py
# class: strides
# construct: strides, asked for
# report: strides
# why: Strides count when the user asks for them.
# standalone: weak classes are not compared
import torch


def make_inputs():
    return (torch.arange(6.0).reshape(2, 3),)


def program(x):
    return x.t().neg()


COMPILE_OPTIONS = {"habit": "contiguous"}
