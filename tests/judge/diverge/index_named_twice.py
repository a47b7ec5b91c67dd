# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: indices of a sort of equal elements, all of them the first
# why: Which comes first is free; each comes once.
import torch


def make_inputs():
    return (torch.ones(4),)


def program(x):
    return torch.sort(x).indices


COMPILE_OPTIONS = {"operator": "sort", "fault": "all_false", "part": 1}
