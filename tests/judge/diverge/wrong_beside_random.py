# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: dropout, and a sum beside it
# why: The random stream is the same on both sides; the sum needs no chance.
import torch


def make_inputs():
    return (torch.arange(1.0, 7.0),)


def program(x):
    noise = torch.nn.functional.dropout(x, 0.5)
    return noise, x.cumsum(0)


COMPILE_OPTIONS = {"operator": "cumsum", "fault": "doubled"}
