# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: exp, eq with the largest
# why: Elements that are equal, or far apart, are so in every run.
import torch


def make_inputs():
    return (torch.linspace(0.1, 3, 30),)


def program(x):
    y = x.exp()
    return y == y.amax()


COMPILE_OPTIONS = {"operator": "eq", "fault": "mask_shifted"}
