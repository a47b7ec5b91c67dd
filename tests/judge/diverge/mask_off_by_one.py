# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: gt, mask into where
# why: The mask is right but for its place, and its numbers are far from the edge.
import torch


def make_inputs():
    return (torch.tensor([5.0, -4.0, 3.0, 7.0, -6.0]),)


def program(x):
    return torch.where(x > 0, x, 0.5 * x)


COMPILE_OPTIONS = {"operator": "gt", "fault": "mask_shifted"}
