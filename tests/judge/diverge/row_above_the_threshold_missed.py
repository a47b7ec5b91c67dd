# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: sum of nine, ge
# why: Rows are far from the threshold in any order.
import torch


def make_inputs():
    return (torch.linspace(0.5, 0.9, 54).reshape(6, 9),)


def program(x):
    return x.sum(1) / 9 >= 0.7


COMPILE_OPTIONS = {"operator": "ge", "fault": "mask_shifted"}
