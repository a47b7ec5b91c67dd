# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: reciprocal of zeros that relu computed
# why: Their sign is free, but an infinity it is.
import torch


def make_inputs():
    return (torch.tensor([-1.0, 2.0, -3.0]),)


def program(x):
    return torch.relu(x).reciprocal()


COMPILE_OPTIONS = {"operator": "reciprocal", "fault": "nan_for_inf"}
