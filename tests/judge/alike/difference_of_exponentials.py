# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: float64
# construct: exp, difference of nearly equal, magnified
# why: One unit in the last place before, percents after.
import torch


def make_inputs():
    return (torch.linspace(2, 3, 8),)


def program(x):
    return ((x + 0.0001).exp() - x.exp()) * 1e4


COMPILE_OPTIONS = {"kernels": ["exp"]}
