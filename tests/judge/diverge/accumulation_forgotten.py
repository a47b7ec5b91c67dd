# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: index_put, accumulate
# why: Values are put where they should be added.
import torch


def make_inputs():
    return (torch.ones(4, dtype=torch.int64), torch.tensor([1, 3]), torch.tensor([10, 20]))


def program(x, index, values):
    return x.index_put((index,), values, accumulate=True)


COMPILE_OPTIONS = {"operator": "index_put", "fault": "forgets"}
