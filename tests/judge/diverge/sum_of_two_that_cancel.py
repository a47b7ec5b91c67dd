# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: the sign of a sum of two
# why: There is one order of adding two terms: what cancels is zero.
import torch


def make_inputs():
    return (torch.tensor([[0.1, -0.1], [0.3, -0.3]]),)


def program(x):
    return x.sum(1).sign()


COMPILE_OPTIONS = {"operator": "sum", "fault": "plus_one"}
