# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: float64
# construct: exp of arguments near eighty
# why: The product with log2(e) loses what the exponent then magnifies: a relative error of many units.
import torch


def make_inputs():
    return (torch.linspace(60, 80, 16),)


def program(x):
    return (x * 1.01).exp()


COMPILE_OPTIONS = {"kernels": ["exp"]}
