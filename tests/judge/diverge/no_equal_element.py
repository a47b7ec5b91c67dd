# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: argmax of two equal elements, and a third
# why: Which of the two equal ones is named is free; the third is none of them.
import torch


def make_inputs():
    return (torch.tensor([1.0, 9.0, 2.0, 9.0]), torch.tensor([10.0, 20.0, 30.0, 40.0]))


def program(x, y):
    return y[x.argmax()]


COMPILE_OPTIONS = {"operator": "argmax", "fault": "plus_one"}
