# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: bilinear interpolation
# why: Weights are rounded at the end only.
import torch


def make_inputs():
    return (torch.linspace(0, 5, 25).sin().reshape(1, 1, 5, 5),)


def program(x):
    return torch.nn.functional.interpolate(x, size=(7, 7), mode="bilinear", align_corners=False)


COMPILE_OPTIONS = {"kernels": ["upsample_bilinear2d"]}
