# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: float64
# construct: cumprod by logarithms
# why: Eighty factors through a logarithm and back.
import torch


def make_inputs():
    return (torch.linspace(20, 60, 80),)


def program(x):
    return (x / 37).cumprod(0)


COMPILE_OPTIONS = {"kernels": ["div"]}
