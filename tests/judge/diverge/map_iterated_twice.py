# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: logistic map, two steps only
# why: A chaotic map is no excuse before its chaos begins.
import torch


def make_inputs():
    return (torch.tensor([0.3, 0.6]),)


def program(x):
    for _ in range(2):
        x = 390.0 * x * (1 - x) / 100
    return x * 100


COMPILE_OPTIONS = {"operator": "rsub", "fault": "scaled"}
