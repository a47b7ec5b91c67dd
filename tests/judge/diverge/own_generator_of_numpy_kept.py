# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: numpy Generator among globals
# why: Its state is no attribute, but the next number depends on it.
import numpy
import torch

numbers = numpy.random.default_rng(5)


def make_inputs():
    return (torch.ones(3),)


def program(x):
    return x.expm1() + float(numbers.random())


COMPILE_OPTIONS = {"fault": "own_randomness_kept"}
