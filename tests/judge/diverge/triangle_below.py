# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: triu of booleans
# why: The other triangle.
import torch


def make_inputs():
    return (torch.ones(3, 3, dtype=torch.bool),)


def program(x):
    return x.triu()


COMPILE_OPTIONS = {"operator": "triu", "fault": "lower"}
