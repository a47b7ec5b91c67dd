# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: mean, times one over n
# why: Multiplying by a rounded reciprocal.
import torch


def make_inputs():
    return (torch.linspace(0.1, 3.3, 77).reshape(7, 11),)


def program(x):
    return x.mean(1)


COMPILE_OPTIONS = {"kernels": ["mean"]}
