# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: other_choices
# construct: sums of elements at the places of two unstable sorts
# why: Which equal element comes first is free in each sort; few of all sums show in few runs.
import torch


def make_inputs():
    return (torch.tensor([2, 1, 2, 1, 1, 2]), torch.tensor([3, 3, 3, 0]), torch.tensor([1, 2, 4, 8, 16, 32]))


def program(x, y, weights):
    return weights[torch.sort(x).indices[0]] * 100 + weights[torch.sort(y).indices[1]]


COMPILE_OPTIONS = {"kernels": ["sort"]}
