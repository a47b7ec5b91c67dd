# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: sqrt in float64
# why: Float64 has no higher precision to hide behind: two in a hundred thousand is an error.
import torch


def make_inputs():
    return (torch.linspace(1, 9, 7, dtype=torch.float64),)


def program(x):
    return x.sqrt()


COMPILE_OPTIONS = {"operator": "sqrt", "fault": "scaled"}
