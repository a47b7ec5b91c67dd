# judge: agree
# backend: backends/habits.py
# class: structure
# rule: numpy_scalars
# construct: numpy scalar
# why: An array without dimensions, by design.
import numpy

import torch


def make_inputs():
    return (numpy.arange(4.0),)


def program(x):
    return x.sum(), numpy.float32(1.5)


COMPILE_OPTIONS = {"habit": "arrays_for_scalars"}
