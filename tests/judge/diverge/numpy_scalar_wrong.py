# judge: diverge
# backend: backends/effects.py
# class: value
# construct: numpy scalar as an array, with another value
# why: The form is by design, the value is not.
import numpy

import torch


def make_inputs():
    return (numpy.arange(4.0),)


def program(x):
    return x.max()


COMPILE_OPTIONS = {"fault": "wrong_arrays_for_scalars"}
