# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: linalg.cross
# why: An element is half more.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(4)
    return (torch.randn(30, 3, generator=g), torch.randn(30, 3, generator=g))


def program(x, y):
    return torch.linalg.cross(x, y)


COMPILE_OPTIONS = {"operator": "linalg_cross", "fault": "element_off"}
