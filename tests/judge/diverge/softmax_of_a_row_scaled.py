# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: softmax
# why: The factor that a row has in common is a few units of one.
import torch


def make_inputs():
    return (torch.randn(20, 9, generator=torch.Generator().manual_seed(4)),)


def program(x):
    return x.softmax(1)


COMPILE_OPTIONS = {"operator": "_softmax", "fault": "scaled"}
