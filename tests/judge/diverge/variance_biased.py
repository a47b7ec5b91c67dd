# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: var, unbiased
# why: Divides by n where n - 1 is asked for.
import torch


def make_inputs():
    return (torch.linspace(0, 10, 50),)


def program(x):
    return x.var()


COMPILE_OPTIONS = {"operator": "var", "fault": "biased"}
