# judge: agree or unstable
# backend: backends/other_kernels.py
# class: exact
# rule: monte_carlo
# construct: bicubic interpolation, gt
# why: The weights are one together, but for their rounding.
import torch


def make_inputs():
    return (torch.full((1, 1, 7, 9), 0.7),)


def program(x):
    return torch.nn.functional.interpolate(x, size=(15, 13), mode="bicubic") > 0.7


COMPILE_OPTIONS = {"kernels": ["upsample_bicubic2d"]}
