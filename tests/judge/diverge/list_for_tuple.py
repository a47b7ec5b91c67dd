# judge: diverge
# backend: backends/effects.py
# class: structure
# construct: tuple of unbind
# why: The program gives a tuple.
import torch


def make_inputs():
    return (torch.arange(6.0).reshape(2, 3),)


def program(x):
    return x.unbind(0)


COMPILE_OPTIONS = {"fault": "lists_for_tuples"}
