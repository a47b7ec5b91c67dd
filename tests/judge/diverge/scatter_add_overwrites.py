# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: scatter_add with equal indices
# why: The last writer wins where all should be added.
import torch


def make_inputs():
    return (torch.zeros(3), torch.tensor([0, 1, 0, 0]), torch.tensor([1.0, 2.0, 4.0, 8.0]))


def program(x, index, source):
    return x.scatter_add(0, index, source)


COMPILE_OPTIONS = {"operator": "scatter_add", "fault": "last_writer_wins"}
