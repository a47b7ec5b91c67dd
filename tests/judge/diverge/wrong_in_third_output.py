# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: min with indices, deep in a nest
# why: Only one tensor of five, at depth three, is wrong.
import torch


def make_inputs():
    return (torch.tensor([1.0, 4.0, 2.0]), torch.tensor([3.0, 2.0, 5.0]))


def program(a, b):
    return {"first": a + b, "rest": [a - b, (a * b, torch.minimum(a, b)), a / b]}


COMPILE_OPTIONS = {"operator": "minimum", "fault": "last_off"}
