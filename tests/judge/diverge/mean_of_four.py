# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: mean of four whole numbers, as integers
# why: The sum is exact, and so is its quotient by four.
import torch


def make_inputs():
    return (torch.tensor([2.0, 4.0, 6.0, 8.0]),)


def program(x):
    return x.mean().int()


COMPILE_OPTIONS = {"operator": "mean", "fault": "doubled"}
