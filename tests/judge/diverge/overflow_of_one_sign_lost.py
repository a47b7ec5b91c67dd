# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: sum of the largest numbers of one sign
# why: No order gives anything but the infinity.
import torch


def make_inputs():
    return (torch.full((7, 7), 3e38),)


def program(x):
    return x.sum(0)


COMPILE_OPTIONS = {"operator": "sum", "fault": "nan_for_inf"}
