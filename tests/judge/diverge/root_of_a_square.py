# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: root of whole squares, as integers
# why: A root is rounded once; the root of a square is exact.
import torch


def make_inputs():
    return (torch.tensor([4.0, 9.0, 16.0, 25.0]),)


def program(x):
    return x.sqrt().int()


COMPILE_OPTIONS = {"operator": "sqrt", "fault": "plus_one"}
