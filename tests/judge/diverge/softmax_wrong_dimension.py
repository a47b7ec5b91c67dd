# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: softmax of a square matrix
# why: Rows and columns are exchanged, which a square input hides.
import torch


def make_inputs():
    return (torch.tensor([[0.0, 1.0], [2.0, 5.0]]),)


def program(x):
    return x.softmax(1)


COMPILE_OPTIONS = {"operator": "_softmax", "fault": "other_dimension"}
