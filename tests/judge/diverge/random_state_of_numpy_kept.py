# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: numpy RandomState among globals
# why: It is numpy's older generator, with a state of its own.
import numpy
import torch

numbers = numpy.random.RandomState(3)


def make_inputs():
    return (torch.ones(3),)


def program(x):
    return x.log1p() * float(numbers.rand())


COMPILE_OPTIONS = {"fault": "own_randomness_kept"}
