# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: embedding lookup
# why: Every index reads the first row.
import torch


def make_inputs():
    return (torch.tensor([2, 0, 1]), torch.arange(12.0).reshape(3, 4))


def program(index, table):
    return torch.nn.functional.embedding(index, table)


COMPILE_OPTIONS = {"operator": "embedding", "fault": "first_row"}
