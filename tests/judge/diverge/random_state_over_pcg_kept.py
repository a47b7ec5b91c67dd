# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: numpy RandomState over PCG64
# why: Over another bit generator than its own its state is a dict.
import numpy
import torch

numbers = numpy.random.RandomState(numpy.random.PCG64(3))


def make_inputs():
    return (torch.ones(3),)


def program(x):
    return x.log1p() * float(numbers.rand())


COMPILE_OPTIONS = {"fault": "own_randomness_kept"}
