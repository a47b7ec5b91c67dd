# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: float64
# construct: standard score of numbers far from zero
# why: The subtraction leaves rounding, the division magnifies it.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(2)
    return (torch.rand(130, generator=g) + 1e3,)


def program(x):
    return (x - x.mean()) / 1e-4


COMPILE_OPTIONS = {"kernels": ["mean:backwards"]}
