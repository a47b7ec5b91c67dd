# judge: diverge
# backend: backends/effects.py
# class: value
# construct: to_sparse
# why: A layout whose elements lie elsewhere.
import torch


def make_inputs():
    return (torch.tensor([[0.0, 2.0], [3.0, 0.0]]),)


def program(x):
    return x.to_sparse()


COMPILE_OPTIONS = {"fault": "sparse_doubled"}
