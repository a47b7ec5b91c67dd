# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: avg_pool2d, count_include_pad=False
# why: The border is averaged with zeros that the program excludes.
import torch


def make_inputs():
    return (torch.arange(16.0).reshape(1, 1, 4, 4),)


def program(x):
    return torch.nn.functional.avg_pool2d(x, 2, 2, 1, count_include_pad=False)


COMPILE_OPTIONS = {"operator": "avg_pool2d", "fault": "counts_padding"}
