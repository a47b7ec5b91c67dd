# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: float64
# construct: softmax of nearly equal rows, differences magnified
# why: The differences are made of rounding for the most part.
import torch


def make_inputs():
    return (torch.ones(2, 6) + torch.arange(12.0).reshape(2, 6) * 1e-6,)


def program(x):
    y = x.softmax(1)
    return (y - y.mean(1, keepdim=True)) * 1e6


COMPILE_OPTIONS = {"kernels": ["_softmax"]}
