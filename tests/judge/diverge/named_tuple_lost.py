# judge: diverge
# backend: backends/effects.py
# class: structure
# construct: namedtuple of the program's own
# why: Its fields have no names any more.
from collections import namedtuple

import torch

Pair = namedtuple("Pair", "low high")


def make_inputs():
    return (torch.tensor([3, 1, 2]),)


def program(x):
    return Pair(x.min(), x.max())


COMPILE_OPTIONS = {"fault": "plain_tuples"}
