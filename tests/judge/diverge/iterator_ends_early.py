# judge: diverge
# backend: backends/effects.py
# class: structure
# construct: generator of chunks
# why: The last item never comes.
import torch


def make_inputs():
    return (torch.arange(9).reshape(3, 3),)


def program(x):
    return iter([row * 2 for row in x.split(1)])


COMPILE_OPTIONS = {"fault": "ends_early"}
