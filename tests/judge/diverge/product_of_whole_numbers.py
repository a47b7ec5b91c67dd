# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: prod of whole numbers, as integers
# why: The product is small enough that no order of multiplying rounds.
import torch


def make_inputs():
    return (torch.tensor([2.0, 3.0, 4.0, 5.0]),)


def program(x):
    return x.prod().int()


COMPILE_OPTIONS = {"operator": "prod", "fault": "plus_one"}
