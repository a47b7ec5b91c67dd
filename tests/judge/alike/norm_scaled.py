# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: vector norm, scaled against overflow
# why: Divides by the largest first.
import torch


def make_inputs():
    return (torch.linspace(-7, 9, 41),)


def program(x):
    return torch.linalg.vector_norm(x)


COMPILE_OPTIONS = {"kernels": ["linalg_vector_norm"]}
