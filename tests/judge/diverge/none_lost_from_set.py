# judge: diverge
# backend: backends/effects.py
# class: structure
# construct: set of results
# why: One item is missing.
import torch


def make_inputs():
    return (torch.tensor([1.0, -1.0]),)


def program(x):
    return {x.dim(), None, "flip"}, x.flip(0)


COMPILE_OPTIONS = {"fault": "sets_without_none"}
