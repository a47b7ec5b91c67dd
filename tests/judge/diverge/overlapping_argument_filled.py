# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: fill_ of windows that overlap
# why: Whichever element is written last, all are the same.
import torch


def make_inputs():
    return (torch.arange(6.0).unfold(0, 3, 1),)


def program(x):
    x.fill_(9)
    return x.sum()


COMPILE_OPTIONS = {"fault": "inputs_copied"}
