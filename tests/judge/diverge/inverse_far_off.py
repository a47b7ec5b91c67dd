# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: inverse, mildly conditioned
# why: The matrix magnifies rounding a thousand times; the fault is larger by far.
import torch


def make_inputs():
    return (torch.eye(4) + 0.9 * torch.arange(16.0).reshape(4, 4).cos(),)


def program(x):
    return torch.linalg.inv(x)


COMPILE_OPTIONS = {"operator": "linalg_inv_ex", "fault": "element_off", "part": 0}
