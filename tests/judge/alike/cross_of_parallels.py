# judge: agree or unstable
# backend: backends/other_kernels.py
# class: exact
# rule: monte_carlo
# construct: linalg.cross, eq with zero
# why: Two products that cancel; fused, one of them is not rounded.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(4)
    return (torch.randn(30, 3, generator=g),)


def program(x):
    return torch.linalg.cross(x, x * 1.7) == 0


COMPILE_OPTIONS = {"kernels": ["linalg_cross"]}
