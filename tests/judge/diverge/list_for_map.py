# judge: diverge
# backend: backends/effects.py
# class: structure
# construct: map object
# why: A list can be read twice, a map object once.
import torch


def make_inputs():
    return (torch.arange(4.0),)


def program(x):
    return map(torch.Tensor.sin, x.chunk(2))


COMPILE_OPTIONS = {"fault": "list_for_iterator"}
