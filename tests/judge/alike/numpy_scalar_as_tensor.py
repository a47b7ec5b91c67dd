# judge: agree
# backend: backends/habits.py
# class: structure
# rule: numpy_scalars
# construct: numpy reduction to a scalar
# why: A tensor without dimensions, by design.
import numpy

import torch


def make_inputs():
    return (numpy.arange(1.0, 4.0),)


def program(x):
    return x.mean()


COMPILE_OPTIONS = {"habit": "tensors_for_scalars"}
