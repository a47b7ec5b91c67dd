# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: a sum beside windows that are written
# why: Only what comes from the windows depends on the order of their elements.
import torch


def make_inputs():
    return (torch.arange(5.0).as_strided((3, 3), (1, 1)), torch.tensor([1.0, 2.0]))


def program(x, y):
    x.add_(1)
    return y.sum()


COMPILE_OPTIONS = {"operator": "sum", "fault": "doubled"}
