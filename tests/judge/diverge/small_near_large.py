# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: mul, a small element among large ones
# why: The second element is off by half its size, which is little next to its neighbours.
import torch


def make_inputs():
    return (torch.tensor([4.0e6, 1.0, -3.0e6, 2.5e6]),)


def program(x):
    return x * 1.25


COMPILE_OPTIONS = {"operator": "mul", "fault": "element_off"}
