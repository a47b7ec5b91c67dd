# judge: diverge
# backend: backends/wrong_kernels.py
# class: state_after
# construct: a clone that is the argument itself
# why: Its elements are right until somebody writes to one of the two.
import torch


def make_inputs():
    return (torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 5.0]))


def program(x, y):
    return x.clone(), y * 2


COMPILE_OPTIONS = {"operator": "clone", "fault": "wraps"}
