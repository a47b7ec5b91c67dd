# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: rfft
# why: Transformed in float64.
import torch


def make_inputs():
    return (torch.linspace(0, 9, 30).cos() * 3,)


def program(x):
    return torch.fft.rfft(x)


COMPILE_OPTIONS = {"kernels": ["_fft_r2c"]}
