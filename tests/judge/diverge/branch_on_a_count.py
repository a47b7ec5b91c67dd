# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: a mask by a number of occurrences
# why: Three ones are three; another answer to the comparison is no rounding.
import torch


def make_inputs():
    return (torch.tensor([0, 1, 1, 2, 2, 2]),)


def program(index):
    return torch.zeros(4).index_put((index,), torch.ones(6), accumulate=True) == 3


COMPILE_OPTIONS = {"operator": "index_put", "fault": "forgets"}
