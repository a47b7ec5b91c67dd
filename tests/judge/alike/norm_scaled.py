# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: vector norm, scaled against overflow
# why: Divides by the largest first.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(8)
    return (torch.rand(500, generator=g),)


def program(x):
    return x.norm() * 3


COMPILE_OPTIONS = {"kernels": ["linalg_vector_norm"]}
