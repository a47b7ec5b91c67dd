# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: float64
# construct: softmax of nearly equal rows, differences magnified
# why: The differences are made of rounding for the most part.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(2)
    return (torch.randn(2, 6, generator=g) * 0.1,)


def program(x):
    y = x.softmax(1)
    return (y - y.mean(1, keepdim=True)) * 1e6


COMPILE_OPTIONS = {"kernels": ["_softmax"]}
