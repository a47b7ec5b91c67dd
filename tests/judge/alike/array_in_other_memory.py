# judge: agree
# backend: backends/habits.py
# class: structure
# rule: tolerance
# construct: numpy.flip
# why: The array that eager gives has negative strides; its elements are the same.
import numpy
import torch


def make_inputs():
    return (torch.arange(4.0),)


def program(x):
    return numpy.flip(x.numpy())


COMPILE_OPTIONS = {"habit": "arrays_in_order"}
