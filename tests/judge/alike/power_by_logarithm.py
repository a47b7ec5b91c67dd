# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: float64
# construct: pow by exp2 and log2
# why: Large exponents magnify the rounding of the logarithm.
import torch


def make_inputs():
    return (torch.linspace(1.5, 9.5, 19), torch.linspace(8, 30, 19))


def program(a, b):
    return (a * 1.1) ** b


COMPILE_OPTIONS = {"kernels": ["pow"]}
