# judge: diverge
# backend: backends/effects.py
# class: shape
# construct: nonzero
# why: A size that depends on the data is wrong while the data are exact.
import torch


def make_inputs():
    return (torch.tensor([0, 3, 0, 5]),)


def program(x):
    return x.nonzero()


COMPILE_OPTIONS = {"fault": "row_repeated"}
