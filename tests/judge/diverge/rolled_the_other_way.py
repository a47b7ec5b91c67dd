# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: roll
# why: The shift has the other sign.
import torch


def make_inputs():
    return (torch.arange(5),)


def program(x):
    return torch.roll(x, 1)


COMPILE_OPTIONS = {"operator": "roll", "fault": "other_way"}
