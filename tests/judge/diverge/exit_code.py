# judge: diverge
# backend: backends/ends.py
# class: death
# construct: logical_not
# why: The process leaves with a code.
import torch


def make_inputs():
    return (torch.tensor([0, 1]),)


def program(x):
    return x.logical_not()


COMPILE_OPTIONS = {"fault": "exit"}
