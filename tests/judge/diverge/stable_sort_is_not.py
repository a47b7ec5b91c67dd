# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: sort, stable=True, with ties
# why: The program asks for stable order: the order of ties is promised.
import torch


def make_inputs():
    return (torch.tensor([2, 1, 2, 1, 1]),)


def program(x):
    return torch.sort(x, stable=True)[1]


COMPILE_OPTIONS = {"operator": "sort", "fault": "ties_last", "part": 1}
