# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: floor division of negative integers
# why: -7 // 2 is -4.
import torch


def make_inputs():
    return (torch.tensor([-7, 7, -8, 5]), torch.tensor([2, 2, 3, -3]))


def program(a, b):
    return torch.div(a, b, rounding_mode="floor")


COMPILE_OPTIONS = {"operator": "div", "fault": "truncates"}
