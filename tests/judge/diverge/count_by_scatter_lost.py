# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: a count of equal indices, as integers
# why: No order of adding up ones rounds, so the count is the same in every compiler.
import torch


def make_inputs():
    return (torch.tensor([0, 1, 1, 2, 2, 2]),)


def program(index):
    return torch.zeros(4).scatter_add(0, index, torch.ones(6)).int()


COMPILE_OPTIONS = {"operator": "scatter_add", "fault": "last_writer_wins"}
