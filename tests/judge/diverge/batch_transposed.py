# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: bmm of square matrices
# why: Square matrices hide a lost transposition from every check of shapes.
import torch


def make_inputs():
    return (torch.arange(18.0).reshape(2, 3, 3), torch.arange(18.0).reshape(2, 3, 3) - 4)


def program(a, b):
    return torch.bmm(a, b)


COMPILE_OPTIONS = {"operator": "bmm", "fault": "transposed"}
