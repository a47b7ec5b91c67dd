# judge: agree
# backend: backends/habits.py
# class: value
# rule: numpy_scalars
# construct: print of a dict with a numpy scalar
# why: Dynamo makes an array without dimensions of the scalar, by design, and eight decimals of a third are enough.
import numpy

import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    print({"loss": numpy.float64(1) / 3, "steps": numpy.int64(7)})
    return x * 2


def lean(x):
    print({"loss": numpy.asarray(1 / 3), "steps": numpy.asarray(7)})
    return x * 2


COMPILE_OPTIONS = {"habit": "other_order"}
