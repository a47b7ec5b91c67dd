# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: sum of int64, in a loop
# why: Integers have no rounding.
import torch


def make_inputs():
    return (torch.arange(12).reshape(3, 4),)


def program(x):
    total = torch.zeros((), dtype=torch.int64)
    for row in x:
        total = total + row.sum()
    return total


COMPILE_OPTIONS = {"operator": "sum", "fault": "plus_one"}
