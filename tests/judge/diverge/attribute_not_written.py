# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: attribute of an argument
# why: The counter stays where it was.
from types import SimpleNamespace

import torch


def make_inputs():
    return (SimpleNamespace(count=3, scale=torch.tensor(2.0)), torch.ones(3))


def program(thing, x):
    thing.count += 1
    return x * thing.scale


COMPILE_OPTIONS = {"fault": "attributes_kept"}
